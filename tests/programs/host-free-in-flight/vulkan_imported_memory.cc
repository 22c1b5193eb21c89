// Defect: Host memory is freed or unmapped before the device memory that was imported from it.
// Fix: The device memory is freed first, behind the last submission.
#include <sys/mman.h>

#include "common/vulkan_external.h"

// Defect: The host block that device memory was imported from is freed before the device memory.
// Fix: The block is freed after the device memory.
// EXPECT warning host-free-in-flight free at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-PARTY allocation at IMPORT
static void BlockOfImportedMemory() {
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
}

// Defect: The host block that device memory was imported from is freed while a submission reads it.
// Fix: The block is freed after the wait and after the device memory.
// EXPECT error host-free-in-flight free at HERE_2
// EXPECT-PARTY allocation at IMPORT_2
// EXPECT-TEXT uses it as its storage
static void ImportedMemoryInUse() {
  char* block = static_cast<char*>(aligned_alloc(4096, 8192));
  memset(block, 7, 8192);
  VkImportMemoryHostPointerInfoEXT import;
  const VkMemoryAllocateInfo info = ImportInfo(block, 8192, &import);
  VkDeviceMemory memory;
  // @IMPORT_2
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
  // @HERE_2
  free(block);
#endif
  OK(vkQueueWaitIdle(queue));
  vkDestroyBuffer(device, from, nullptr);
  vkFreeMemory(device, memory, nullptr);
#ifndef DEFECT
  free(block);
#endif
  Destroy(to);
}

// Defect: The last page of the host memory that device memory was imported from is unmapped before
// the device memory is freed.
// Fix: Only the page after the imported ones is unmapped.
// EXPECT warning host-free-in-flight munmap at HERE_3
// EXPECT-PARTY allocation at IMPORT_3
static void ImportedPagesUnmapped() {
  void* mapped =
      mmap(nullptr, 5 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(mapped != MAP_FAILED);
  char* pages = static_cast<char*>(mapped);
  VkImportMemoryHostPointerInfoEXT import;
  const VkMemoryAllocateInfo info = ImportInfo(pages, 4 * 4096, &import);
  VkDeviceMemory memory;
  // @IMPORT_3
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
#ifdef DEFECT
  // @HERE_3
  CHECK(munmap(pages + 3 * 4096, 4096) == 0);
#else
  CHECK(munmap(pages + 4 * 4096, 4096) == 0);
#endif
  vkFreeMemory(device, memory, nullptr);
  CHECK(munmap(pages, 3 * 4096) == 0);
}

int main() {
  OpenForImports();
  BlockOfImportedMemory();
  ImportedMemoryInUse();
  ImportedPagesUnmapped();
  Close();
}
