// Defect: Device memory is imported from a host pointer that is not aligned as the device needs it.
// Fix: The pointer is at the start of a page.
// EXPECT error misaligned vkAllocateMemory at IMPORT
// EXPECT-FACT vuid=VUID-VkImportMemoryHostPointerInfoEXT-pHostPointer-01749
#include "common/vulkan_imports.h"

int main() {
  OpenForImports();
  char* block = static_cast<char*>(aligned_alloc(4096, 12288));
  VkImportMemoryHostPointerInfoEXT import;
  const VkMemoryAllocateInfo info = ImportInfo(block, 8192, &import);
#ifdef DEFECT
  import.pHostPointer = block + 64;
#endif
  VkDeviceMemory memory;
  // @IMPORT
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  vkFreeMemory(device, memory, nullptr);
  free(block);
  Close();
}
