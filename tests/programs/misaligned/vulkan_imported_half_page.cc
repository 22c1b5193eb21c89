// Defect: The size of imported host memory is not a multiple of the alignment of the device.
// Fix: It is.
// EXPECT error misaligned vkAllocateMemory at IMPORT
// EXPECT-FACT vuid=VUID-VkMemoryAllocateInfo-allocationSize-01745
#include "common/vulkan_imports.h"

int main() {
  OpenForImports();
  void* block = aligned_alloc(4096, 8192);
  VkImportMemoryHostPointerInfoEXT import;
  VkMemoryAllocateInfo info = ImportInfo(block, 8192, &import);
#ifdef DEFECT
  info.allocationSize = 6000;
#endif
  VkDeviceMemory memory;
  // @IMPORT
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  vkFreeMemory(device, memory, nullptr);
  free(block);
  Close();
}
