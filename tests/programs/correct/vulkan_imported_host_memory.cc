// Host memory is imported twice, used, and freed after both memory objects; and blocks beside
// imported memory, or with the same address later, are freed at any time.
#include "common/vulkan_imports.h"

static VkDeviceMemory Import(void* block) {
  VkImportMemoryHostPointerInfoEXT import;
  const VkMemoryAllocateInfo info = ImportInfo(block, 8192, &import);
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  return memory;
}

int main() {
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
