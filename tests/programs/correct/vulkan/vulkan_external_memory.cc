// Memory that others may use: exported images, and imported host memory.
#include "common/vulkan_exports.h"
#include "common/vulkan_imports.h"

// An image of exported memory: whoever has the handle may have written it and changed its layout.
static void ExportedImageChangedElsewhere() {
  OpenForExports();
  VkExternalMemoryImageCreateInfo external = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO};
  external.handleTypes = kOpaque;
  VkImageCreateInfo info = ImageInfo(16, 16);
  info.pNext = &external;
  Image images[2];  // the second one is bound after the export
  for (Image& image : images) OK(vkCreateImage(device, &info, nullptr, &image.handle));
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, images[0].handle, &needs);
  for (Image& image : images)
    image.memory = AllocateForExport(needs.size, MemoryType(needs.memoryTypeBits, 0));
  OK(vkBindImageMemory(device, images[0].handle, images[0].memory, 0));
  for (const Image& image : images) close(Export(image.memory));
  OK(vkBindImageMemory(device, images[1].handle, images[1].memory, 0));
  const Buffer target = MakeBuffer(16 * 16 * 4);
  VkBufferImageCopy all = {};
  all.imageSubresource = kFirst;
  all.imageExtent = {16, 16, 1};
  Begin();
  for (const Image& image : images) {
    vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           target.handle, 1, &all);
    VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    barrier.srcAccessMask = barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 1, &barrier, 0, nullptr, 0, nullptr);
  }
  Run();
  Close(images[0], images[1], target);
}

// Host memory is imported twice, used, and freed after both memory objects; and blocks beside
// imported memory, or with the same address later, are freed at any time.
static VkDeviceMemory Import(void* block) {
  VkImportMemoryHostPointerInfoEXT import;
  const VkMemoryAllocateInfo info = ImportInfo(block, 8192, &import);
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  return memory;
}

static void ImportedHostMemory() {
  OpenForImports();
  for (int i = 0; i < 3; ++i) {
    void* block = aligned_alloc(4096, 8192);
    void* beside = aligned_alloc(4096, 8192);
    const VkDeviceMemory first = Import(block), second = Import(block);
    const VkBuffer buffer = MakeImportedBuffer(first, 8192);
    Begin();
    vkCmdFillBuffer(commands, buffer, 0, VK_WHOLE_SIZE, 7);
    free(beside);
    Run();
    vkDestroyBuffer(device, buffer, nullptr);
    vkFreeMemory(device, second, nullptr);
    vkFreeMemory(device, first, nullptr);
    free(block);
    // May have the address of the block.
    void* other = aligned_alloc(4096, 8192);
    free(other);
    OK(vkResetCommandPool(device, pool, 0));
  }
  Close();
}

int main() {
  ExportedImageChangedElsewhere();
  ImportedHostMemory();
}
