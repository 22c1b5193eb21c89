// Defect: A loop reads four layers of an image back into a buffer with room for three.
// Fix: The buffer has room for four.
// EXPECT error copy-out-of-bounds vkCmdCopyImageToBuffer at COPY
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkDeviceSize bytes = 4 * 1024;
#ifdef DEFECT
  bytes = 3 * 1024;
#endif
  const Buffer target = MakeBuffer(bytes);
  const Image image = MakeImage(ImageInfo(16, 16, VK_FORMAT_R8G8B8A8_UNORM, 1, 4));
  VkImageSubresourceRange all = kWhole;
  all.layerCount = 4;
  Begin();
  VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  barrier.subresourceRange = all;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1,
                       &all);
  for (uint32_t i = 0; i < 4; ++i) {
    VkImageMemoryBarrier layer =
        ImageBarrier(image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                     VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_ACCESS_TRANSFER_WRITE_BIT,
                     VK_ACCESS_TRANSFER_READ_BIT);
    layer.subresourceRange.baseArrayLayer = i;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 0, nullptr, 0, nullptr, 1, &layer);
    VkBufferImageCopy copy = {};
    copy.bufferOffset = static_cast<VkDeviceSize>(i) * 1024;
    copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, i, 1};
    copy.imageExtent = {16, 16, 1};
    // @COPY
    vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           target.handle, 1, &copy);
  }
  Run();
  Close(image, target);
}
