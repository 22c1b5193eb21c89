// Destroys everything before it ends.
#include "common/vulkan.h"

int main() {
  Open();
  const VkBufferCreateInfo info = BufferInfo(4096);
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  vkDestroyBuffer(device, buffer, nullptr);
  Close();
}
