// Binds memory that is smaller than the buffer needs, counted from the offset. Nothing uses it.
// EXPECT error binding-invalid vkBindBufferMemory at BIND
// EXPECT-FACT vuid=VUID-vkBindBufferMemory-size-01037
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer staging = MakeStaging(4096);
  const VkBufferCreateInfo info = BufferInfo(4096);
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  const VkDeviceMemory memory = Allocate(needs, 0);
  // @BIND
  vkBindBufferMemory(device, buffer, memory, needs.alignment);
  vkDestroyBuffer(device, buffer, nullptr);
  vkFreeMemory(device, memory, nullptr);
  Destroy(staging);
  Close();
}
