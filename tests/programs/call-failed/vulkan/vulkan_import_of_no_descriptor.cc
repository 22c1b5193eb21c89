// Defect: Imports memory from an invalid file descriptor.
// Fix: Imports memory from a descriptor that another allocation was exported to.
// EXPECT warning call-failed vkAllocateMemory at IMPORT
#include "common/vulkan.h"

int main() {
  Wanted wanted;
  wanted.extensions = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME};
  Open(wanted);
  const VkExternalMemoryHandleTypeFlagBits type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  VkExportMemoryAllocateInfo exported = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO};
  exported.handleTypes = type;
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &exported};
  info.allocationSize = 4096;
  info.memoryTypeIndex = MemoryType(~0u, kHostMemory);
  VkDeviceMemory memory, second = VK_NULL_HANDLE;
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  const auto get =
      reinterpret_cast<PFN_vkGetMemoryFdKHR>(vkGetDeviceProcAddr(device, "vkGetMemoryFdKHR"));
  const VkMemoryGetFdInfoKHR get_info = {VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, nullptr, memory,
                                         type};
  int descriptor = -1;
  OK(get(device, &get_info, &descriptor));
  VkImportMemoryFdInfoKHR import = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR};
  import.handleType = type;
#ifdef DEFECT
  import.fd = 9999;
#else
  import.fd = descriptor;
#endif
  info.pNext = &import;
  // @IMPORT
  const VkResult code = vkAllocateMemory(device, &info, nullptr, &second);
  if (code == VK_SUCCESS) vkFreeMemory(device, second, nullptr);
  Close(memory);
}
