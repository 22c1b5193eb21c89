// Defect half_page: The size of imported host memory is not a multiple of the alignment of the device.
// EXPECT error misaligned vkAllocateMemory at IMPORT
// EXPECT-FACT vuid=VUID-VkMemoryAllocateInfo-allocationSize-01745
// Defect vector: Device memory is imported from a host pointer that is not aligned as the device needs it.
// EXPECT error misaligned vkAllocateMemory at IMPORT
// EXPECT-FACT vuid=VUID-VkImportMemoryHostPointerInfoEXT-pHostPointer-01749
// Fix: The pointer is at the start of a page, and the size is a multiple of the page.
#include "common/vulkan_imports.h"

int main() {
  OpenForImports();
  char* block = static_cast<char*>(aligned_alloc(4096, 12288));
  VkImportMemoryHostPointerInfoEXT import;
  VkMemoryAllocateInfo info = ImportInfo(block, 8192, &import);
#ifdef DEFECT_half_page
  info.allocationSize = 6000;
#elif defined(DEFECT_vector)
  import.pHostPointer = block + 64;
#endif
  VkDeviceMemory memory;
  // @IMPORT
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  vkFreeMemory(device, memory, nullptr);
  free(block);
  Close();
}
