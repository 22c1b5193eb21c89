// Defect: A buffer is bound to memory that is dedicated to another buffer.
// Fix: The buffer is bound for which the memory was allocated.
// EXPECT error binding-invalid vkBindBufferMemory at BIND
// EXPECT-FACT vuid=VUID-vkBindBufferMemory-memory-01508
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const VkBufferCreateInfo info = BufferInfo(4096);
  VkBuffer buffers[2];
  for (VkBuffer& buffer : buffers) OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffers[0], &needs);
  VkMemoryDedicatedAllocateInfo dedicated = {VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
  dedicated.buffer = buffers[0];
#ifdef DEFECT
  dedicated.buffer = buffers[1];
#endif
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.pNext = &dedicated;
  allocate.allocationSize = needs.size;
  while ((needs.memoryTypeBits >> allocate.memoryTypeIndex & 1) == 0) ++allocate.memoryTypeIndex;
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &allocate, nullptr, &memory));
  // @BIND
  vkBindBufferMemory(device, buffers[0], memory, 0);
  for (VkBuffer buffer : buffers) vkDestroyBuffer(device, buffer, nullptr);
  Close(memory);
}
