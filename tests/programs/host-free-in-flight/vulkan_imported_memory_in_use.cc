// Defect: The host block that device memory was imported from is freed while a submission reads it.
// Fix: The block is freed after the wait and after the device memory.
// EXPECT error host-free-in-flight free at HERE
// EXPECT-PARTY allocation at IMPORT
// EXPECT-TEXT uses it as its storage
#include "common/vulkan_imports.h"

int main() {
  OpenForImports();
  char* block = static_cast<char*>(aligned_alloc(4096, 8192));
  memset(block, 7, 8192);
  VkImportMemoryHostPointerInfoEXT import;
  const VkMemoryAllocateInfo info = ImportInfo(block, 8192, &import);
  VkDeviceMemory memory;
  // @IMPORT
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  const VkBuffer from = MakeImportedBuffer(memory, 8192);
  const Buffer to = MakeBuffer(8192);
  Begin();
  const VkBufferCopy all = {0, 0, 8192};
  vkCmdCopyBuffer(commands, from, to.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo submit = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
#ifdef DEFECT
  // @HERE
  free(block);
#endif
  OK(vkQueueWaitIdle(queue));
  vkDestroyBuffer(device, from, nullptr);
  vkFreeMemory(device, memory, nullptr);
#ifndef DEFECT
  free(block);
#endif
  Close(to);
}
