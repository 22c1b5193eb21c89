// Defect: Uploads four bytes a texel into an image of four floats a texel.
// Fix: Uploads four floats a texel into an image of four floats a texel.
// EXPECT error format-size-mismatch vkCmdCopyBufferToImage at COPY
// EXPECT-FACT texel_bytes=16
#include "common/vulkan.h"

int main() {
  Open();
#ifdef DEFECT
  const Buffer source = MakeStaging(64 * 64 * 4);
#else
  const Buffer source = MakeStaging(64 * 64 * 16);
#endif
  const Image image = MakeImage(ImageInfo(64, 64, VK_FORMAT_R32G32B32A32_SFLOAT));
  Begin();
  const VkImageMemoryBarrier to_copy =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_copy);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {64, 64, 1};
  copy.bufferRowLength = 0;
  // @COPY
  vkCmdCopyBufferToImage(commands, source.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  // It is not submitted: what the device would do is anybody's guess.
  OK(vkEndCommandBuffer(commands));
  Close(source, image);
}
