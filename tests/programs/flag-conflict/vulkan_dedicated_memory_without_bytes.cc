// Defect: Allocates 0 bytes of memory that is for one buffer only.
// Fix: Allocates the bytes that the buffer requires.
// EXPECT error flag-conflict vkAllocateMemory at ALLOCATE
// EXPECT-FACT vuid=VUID-VkMemoryAllocateInfo-allocationSize-07897
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkBufferCreateInfo buffer_info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  buffer_info.size = 4096;
  buffer_info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &buffer_info, nullptr, &buffer));
  VkMemoryRequirements needed;
  vkGetBufferMemoryRequirements(device, buffer, &needed);
  VkMemoryDedicatedAllocateInfo dedicated = {VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
  dedicated.buffer = buffer;
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &dedicated};
  info.allocationSize = needed.size;
#ifdef DEFECT
  info.allocationSize = 0;
#endif
  VkDeviceMemory memory;
  // @ALLOCATE
  NEEDS(vkAllocateMemory(device, &info, nullptr, &memory) == VK_SUCCESS);
  Close(memory, buffer);
}
