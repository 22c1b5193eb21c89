// Defect: Allocates one byte more than the heap of the memory has.
// Fix: Allocates a small part of it.
// EXPECT error flag-conflict vkAllocateMemory at ALLOCATE
// EXPECT-FACT vuid=VUID-vkAllocateMemory-pAllocateInfo-01713
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
#ifdef DEFECT
  const uint32_t heap = memory_properties.memoryTypes[0].heapIndex;
  info.allocationSize = memory_properties.memoryHeaps[heap].size + 1;
#else
  info.allocationSize = 4096;
#endif
  VkDeviceMemory memory;
  // @ALLOCATE
  NEEDS(vkAllocateMemory(device, &info, nullptr, &memory) == VK_SUCCESS);
  Close(memory);
}
