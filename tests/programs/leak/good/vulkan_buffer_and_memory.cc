// Destroys a buffer and its memory before the device.
#include "common/vulkan.h"

int main() {
  Open();
  const VkBufferCreateInfo info = BufferInfo(4096);
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = MemoryType(needs.memoryTypeBits, 0);
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &allocate, nullptr, &memory));
  vkDestroyBuffer(device, buffer, nullptr);
  vkFreeMemory(device, memory, nullptr);
  Close();
}
