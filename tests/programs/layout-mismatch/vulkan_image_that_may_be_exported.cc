// Defect: An image of memory that may be exported is copied from in another layout than it is in.
// Nothing has exported the memory, so that only this program can have changed the layout.
// Fix: The copy names the layout of the image.
// EXPECT error layout-mismatch vkCmdCopyImageToBuffer at COPY
// EXPECT-FACT expected_layout=VK_IMAGE_LAYOUT_GENERAL
// EXIT any
#include "common/vulkan_external.h"

int main() {
  OpenForExports();
  VkExternalMemoryImageCreateInfo external = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO};
  external.handleTypes = kOpaque;
  VkImageCreateInfo info = ImageInfo(16, 16);
  info.pNext = &external;
  Image image;
  OK(vkCreateImage(device, &info, nullptr, &image.handle));
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, image.handle, &needs);
  image.memory = AllocateForExport(needs.size, MemoryType(needs.memoryTypeBits, 0));
  OK(vkBindImageMemory(device, image.handle, image.memory, 0));
  const Buffer target = MakeBuffer(16 * 16 * 4);
  VkBufferImageCopy all = {};
  all.imageSubresource = kFirst;
  all.imageExtent = {16, 16, 1};
  VkImageLayout layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
#ifdef DEFECT
  const VkImageLayout named = VK_IMAGE_LAYOUT_GENERAL;
#else
  const VkImageLayout named = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
#endif
  Begin();
  const VkImageMemoryBarrier to_clear = ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                                                     layout, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_clear);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, image.handle, layout, &black, 1, &kWhole);
  const VkImageMemoryBarrier to_read =
      ImageBarrier(image.handle, layout, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                   VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &to_read);
  // @COPY
  vkCmdCopyImageToBuffer(commands, image.handle, named, target.handle, 1, &all);
  Run();
  Close(image, target);
}
