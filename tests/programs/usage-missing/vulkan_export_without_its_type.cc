// Defect: Exports memory as a file descriptor, but its allocation does not name this type of handle.
// Fix: The allocation names the type in VkExportMemoryAllocateInfo.
// EXPECT error usage-missing vkGetMemoryFdKHR at EXPORT
// EXPECT-FACT vuid=VUID-VkMemoryGetFdInfoKHR-handleType-00671
#include <unistd.h>

#include "common/vulkan.h"

int main() {
  Wanted wanted;
  wanted.extensions = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME};
  Open(wanted);
  const VkExternalMemoryHandleTypeFlagBits type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
#ifndef DEFECT
  VkExportMemoryAllocateInfo exported = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO};
  exported.handleTypes = type;
  info.pNext = &exported;
#endif
  info.allocationSize = 4096;
  info.memoryTypeIndex = MemoryType(~0u, kHostMemory);
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  const auto get =
      reinterpret_cast<PFN_vkGetMemoryFdKHR>(vkGetDeviceProcAddr(device, "vkGetMemoryFdKHR"));
  const VkMemoryGetFdInfoKHR get_info = {VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, nullptr, memory,
                                         type};
  int descriptor = -1;
  // @EXPORT
  const VkResult code = get(device, &get_info, &descriptor);
  if (code == VK_SUCCESS && descriptor >= 0) close(descriptor);
  Close(memory);
}
