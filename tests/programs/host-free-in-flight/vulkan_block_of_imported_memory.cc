// Defect: The host block that device memory was imported from is freed before the device memory.
// Fix: The block is freed after the device memory.
// EXPECT warning host-free-in-flight free at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-PARTY allocation at IMPORT
#include "common/vulkan_imports.h"

int main() {
  OpenForImports();
  // @BLOCK
  void* block = aligned_alloc(4096, 8192);
  VkImportMemoryHostPointerInfoEXT import;
  const VkMemoryAllocateInfo info = ImportInfo(block, 8192, &import);
  VkDeviceMemory memory;
  // @IMPORT
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  const VkBuffer buffer = MakeImportedBuffer(memory, 8192);
  Begin();
  vkCmdFillBuffer(commands, buffer, 0, VK_WHOLE_SIZE, 7);
  Run();
  vkDestroyBuffer(device, buffer, nullptr);
#ifdef DEFECT
  // @HERE
  free(block);
#endif
  vkFreeMemory(device, memory, nullptr);
#ifndef DEFECT
  free(block);
#endif
  Close();
}
