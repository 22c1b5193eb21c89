// Defect: Copies to an image of 4 bytes a texel from byte 2 of the buffer on.
// Fix: The texels begin at byte 4.
// EXPECT error misaligned vkCmdCopyBufferToImage at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyBufferToImage-dstImage-07975
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer staging = MakeStaging(4096);
  const Image image = MakeImage(ImageInfo(16, 16));
  Begin();
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
  VkBufferImageCopy copy = {};
#ifdef DEFECT
  copy.bufferOffset = 2;
#else
  copy.bufferOffset = 4;
#endif
  copy.imageSubresource = kFirst;
  copy.imageExtent = {16, 16, 1};
  // @COPY
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  OK(vkEndCommandBuffer(commands));
  Close(staging, image);
}
