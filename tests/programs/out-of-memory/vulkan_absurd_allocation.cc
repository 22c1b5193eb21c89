// Defect: Allocates more memory than any device has.
// Fix: Allocates memory that the device has.
// EXPECT warning out-of-memory vkAllocateMemory at ALLOCATE
#include "common/vulkan.h"

int main() {
  Open();
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
#ifdef DEFECT
  info.allocationSize = uint64_t{1} << 60;
#else
  info.allocationSize = 1 << 20;
#endif
  info.memoryTypeIndex = MemoryType(~0u, kHostMemory);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  // @ALLOCATE
  const VkResult code = vkAllocateMemory(device, &info, nullptr, &memory);
#ifdef DEFECT
  if (code == VK_SUCCESS) return 77;  // the driver has more
#endif
  if (code == VK_SUCCESS) vkFreeMemory(device, memory, nullptr);
  Close();
}
