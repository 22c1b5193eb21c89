// Defect: A copy names slice 1 of a 3D image as its layer 1.
// Fix: The offset names the slice.
// EXPECT error image-region-out-of-bounds vkCmdCopyBufferToImage at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyBufferToImage-dstImage-07983
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer staging = MakeStaging(16 * 16 * 4);
  VkImageCreateInfo info = ImageInfo(16, 16);
  info.imageType = VK_IMAGE_TYPE_3D;
  info.extent.depth = 4;
  const Image image = MakeImage(info);
  Begin();
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {16, 16, 1};
#ifdef DEFECT
  copy.imageSubresource.baseArrayLayer = 1;
#else
  copy.imageOffset.z = 1;
#endif
  // @COPY
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  OK(vkEndCommandBuffer(commands));
  Close(staging, image);
}
