// Defect: Memory is exported as an opaque handle, and imported with half of its size.
// Fix: The import has the size of the exported memory.
// EXPECT error binding-invalid vkAllocateMemory at IMPORT
// EXPECT-FACT vuid=VUID-VkMemoryAllocateInfo-allocationSize-01742
// EXPECT-TEXT with the allocationSize 2048, but it was allocated with 4096
// EXIT any
#include "common/vulkan_exports.h"

int main() {
  OpenForExports();
  const VkDeviceMemory memory = AllocateForExport(4096, MemoryType(~0u, kHostMemory));
  VkImportMemoryFdInfoKHR import;
  VkMemoryAllocateInfo info = ImportOf(memory, &import);
  info.allocationSize = 4096;
  info.memoryTypeIndex = MemoryType(~0u, kHostMemory);
#ifdef DEFECT
  info.allocationSize = 2048;
#endif
  VkDeviceMemory imported = VK_NULL_HANDLE;
  // @IMPORT
  const VkResult code = vkAllocateMemory(device, &info, nullptr, &imported);
  if (code != VK_SUCCESS) close(import.fd);
  Close(imported, memory);
}
