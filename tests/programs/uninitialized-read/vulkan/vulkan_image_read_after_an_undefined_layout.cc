// Defect: Fills an image, and names its layout as undefined in the barrier before the copy from it,
// which discards the content.
// Fix: The barrier names the layout of the image.
// EXPECT warning uninitialized-read vkCmdCopyImageToBuffer at COPY
// EXPECT-PARTY layout at BARRIER
#include "common/vulkan.h"

int main() {
  Open();
  const Image image = MakeImage(ImageInfo(64, 64));
  const Buffer target = MakeBuffer(64 * 64 * 4);
  Begin();
  const VkImageMemoryBarrier to_clear =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_clear);
  const VkClearColorValue color = {};
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1,
                       &kWhole);
#ifdef DEFECT
  const VkImageMemoryBarrier to_copy =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                   VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#else
  const VkImageMemoryBarrier to_copy = ImageBarrier(
      image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &to_copy);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {64, 64, 1};
  // @COPY
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         target.handle, 1, &copy);
  Run();
  Close(image, target);
}
