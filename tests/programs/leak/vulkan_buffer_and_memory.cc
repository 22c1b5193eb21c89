// Defect: Destroys the device while a buffer and its memory are left.
// Fix: Destroys a buffer and its memory before the device.
// EXPECT error leak vkCreateBuffer at BUFFER
// EXPECT error leak vkAllocateMemory at MEMORY
// EXPECT-FACT leaked_bytes~[0-9]+
// EXPECT-FACT vuid=VUID-vkDestroyDevice-device-05137
#include "common/vulkan.h"

int main() {
  Open();
  const VkBufferCreateInfo info = BufferInfo(4096);
  VkBuffer buffer;
  // @BUFFER
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = MemoryType(needs.memoryTypeBits, 0);
  VkDeviceMemory memory;
  // @MEMORY
  OK(vkAllocateMemory(device, &allocate, nullptr, &memory));
#ifndef DEFECT
  vkDestroyBuffer(device, buffer, nullptr);
  vkFreeMemory(device, memory, nullptr);
#endif
  Close();
}
