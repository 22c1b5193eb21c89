// Defect: All layers of an image and all of a buffer are written; barriers cover the first two
// layers and the first half, and one layer and some bytes more are read.
// Fix: The reads keep to the two layers and the half that the barriers cover.
// EXPECT error missing-barrier vkCmdCopyImageToBuffer at READ_LAYERS
// EXPECT-PARTY earlier-access at WRITE_LAYERS
// EXPECT error missing-barrier vkCmdCopyBuffer at READ_BYTES
// EXPECT-PARTY earlier-access at WRITE_BYTES
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer source = MakeStaging(4096), bytes = MakeBuffer(4096), target = MakeBuffer(8192);
  const Image image = MakeImage(ImageInfo(16, 16, VK_FORMAT_R8G8B8A8_UNORM, 1, 4));
  Begin();
  VkImageMemoryBarrier layers =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  layers.subresourceRange.layerCount = VK_REMAINING_ARRAY_LAYERS;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &layers);
  VkBufferImageCopy all = {};
  all.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 4};
  all.imageExtent = {16, 16, 1};
  // @WRITE_LAYERS
  vkCmdCopyBufferToImage(commands, source.handle, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &all);
  // @WRITE_BYTES
  vkCmdFillBuffer(commands, bytes.handle, 0, 4096, 7);
  layers = ImageBarrier(image.handle, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL,
                        VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  layers.subresourceRange.layerCount = 2;
  VkBufferMemoryBarrier half = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  half.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  half.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  half.srcQueueFamilyIndex = half.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  half.buffer = bytes.handle;
  half.size = 2048;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 1, &half, 1, &layers);
#ifdef DEFECT
  all.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 2};
  // @READ_LAYERS
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, target.handle, 1, &all);
  const VkBufferCopy part = {1024, 4096, 2048};
#else
  all.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 2};
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, target.handle, 1, &all);
  const VkBufferCopy part = {0, 4096, 2048};
#endif
  // @READ_BYTES
  vkCmdCopyBuffer(commands, bytes.handle, target.handle, 1, &part);
  Run();
  Close(image, source, bytes, target);
}
