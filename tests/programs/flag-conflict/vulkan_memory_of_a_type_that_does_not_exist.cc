// Defect: Allocates memory of a type behind the last one.
// Fix: Allocates memory of the last type.
// EXPECT error flag-conflict vkAllocateMemory at ALLOCATE
// EXPECT-FACT vuid=VUID-vkAllocateMemory-pAllocateInfo-01714
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = 4096;
#ifdef DEFECT
  info.memoryTypeIndex = memory_properties.memoryTypeCount;
#else
  info.memoryTypeIndex = memory_properties.memoryTypeCount - 1;
#endif
  VkDeviceMemory memory;
  // @ALLOCATE
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  Close(memory);
}
