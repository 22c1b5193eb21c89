// Defect: Uploads a region that is one texel wider than the image.
// Fix: Uploads a region that is as wide as the image.
// EXPECT error image-region-out-of-bounds vkCmdCopyBufferToImage at COPY
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer source = MakeStaging(65 * 64 * 4);
  const Image image = MakeImage(ImageInfo(64, 64));
  Begin();
  const VkImageMemoryBarrier to_copy =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_copy);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
#ifdef DEFECT
  copy.imageExtent = {65, 64, 1};
#else
  copy.imageExtent = {64, 64, 1};
#endif
  copy.bufferRowLength = 0;
  // @COPY
  vkCmdCopyBufferToImage(commands, source.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  // It is not submitted: what the device would do is anybody's guess.
  OK(vkEndCommandBuffer(commands));
  Close(source, image);
}
