// Asks for as much memory as there is.
#include "common/vulkan.h"

int main() {
  Open();
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = 1 << 20;
  info.memoryTypeIndex = MemoryType(~0u, kHostMemory);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  const VkResult code = vkAllocateMemory(device, &info, nullptr, &memory);
  if (code == VK_SUCCESS) vkFreeMemory(device, memory, nullptr);
  Close();
}
