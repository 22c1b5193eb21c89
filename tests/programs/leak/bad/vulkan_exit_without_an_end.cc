// Ends without destroying anything.
// EXPECT error leak vkCreateBuffer at BUFFER
// EXPECT warning leak vkCreateCommandPool
// EXPECT warning leak vkCreateDevice
// EXPECT warning leak vkCreateInstance
#include "common/vulkan.h"

int main() {
  Open();
  const VkBufferCreateInfo info = BufferInfo(4096);
  VkBuffer buffer;
  // @BUFFER
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
}
