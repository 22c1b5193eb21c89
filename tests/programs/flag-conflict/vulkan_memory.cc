// Defect larger_than_its_heap: Allocates one byte more than the heap of the memory has.
// EXPECT error flag-conflict vkAllocateMemory at ALLOCATE
// EXPECT-FACT vuid=VUID-vkAllocateMemory-pAllocateInfo-01713
// Defect of_a_type_that_does_not_exist: Allocates memory of a type behind the last one.
// EXPECT error flag-conflict vkAllocateMemory at ALLOCATE
// EXPECT-FACT vuid=VUID-vkAllocateMemory-pAllocateInfo-01714
// Fix: Allocates a small part of a heap, of the last type.
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.memoryTypeIndex = memory_properties.memoryTypeCount - 1;
  info.allocationSize = 4096;
#ifdef DEFECT_larger_than_its_heap
  const uint32_t heap = memory_properties.memoryTypes[info.memoryTypeIndex].heapIndex;
  info.allocationSize = memory_properties.memoryHeaps[heap].size + 1;
#elif defined(DEFECT_of_a_type_that_does_not_exist)
  ++info.memoryTypeIndex;
#endif
  VkDeviceMemory memory;
  // @ALLOCATE
  NEEDS(vkAllocateMemory(device, &info, nullptr, &memory) == VK_SUCCESS);
  Close(memory);
}
