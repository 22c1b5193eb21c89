// The memory has room for the buffer behind the offset.
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer staging = MakeStaging(4096);
  const VkBufferCreateInfo info = BufferInfo(4096);
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  VkMemoryRequirements both = needs;
  both.size += needs.alignment;
  const VkDeviceMemory memory = Allocate(both, 0);
  OK(vkBindBufferMemory(device, buffer, memory, needs.alignment));
  vkDestroyBuffer(device, buffer, nullptr);
  vkFreeMemory(device, memory, nullptr);
  Destroy(staging);
  Close();
}
