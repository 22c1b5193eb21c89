// Copies within one buffer and within one image whose regions touch, but do not overlap: adjacent blocks, two regions
// with the same source, the halves of an image, and its mip levels.
#include "common/vulkan.h"

static void Order(VkImage image, VkImageLayout from, VkAccessFlags source) {
  VkImageMemoryBarrier barrier = ImageBarrier(image, from, VK_IMAGE_LAYOUT_GENERAL, source,
                                              VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  barrier.subresourceRange.levelCount = 2;
  vkCmdPipelineBarrier(commands,
                       source == 0 ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

int main() {
  Open();
  const Buffer buffer = MakeStaging(8192);
  const Image image = MakeImage(ImageInfo(64, 64, VK_FORMAT_R8G8B8A8_UNORM, 2));
  Begin();
  const VkBufferCopy regions[] = {{0, 1024, 1024}, {0, 4096, 1024}, {2048, 5120, 1024}};
  vkCmdCopyBuffer(commands, buffer.handle, buffer.handle, 3, regions);
  Order(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, 0);
  const VkClearColorValue color = {};
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &kWhole);
  Order(image.handle, VK_IMAGE_LAYOUT_GENERAL, VK_ACCESS_TRANSFER_WRITE_BIT);
  VkImageCopy halves = {};
  halves.srcSubresource = halves.dstSubresource = kFirst;
  halves.extent = {32, 64, 1};
  halves.dstOffset = {32, 0, 0};
  vkCmdCopyImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &halves);
  Order(image.handle, VK_IMAGE_LAYOUT_GENERAL, VK_ACCESS_TRANSFER_WRITE_BIT);
  VkImageBlit smaller = {};
  smaller.srcSubresource = kFirst;
  smaller.srcOffsets[1] = {64, 64, 1};
  smaller.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 0, 1};
  smaller.dstOffsets[1] = {32, 32, 1};
  vkCmdBlitImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &smaller,
                 VK_FILTER_LINEAR);
  Run();
  Close(image, buffer);
}
