// Defect: Binds memory that is smaller than the buffer needs, counted from the offset. No command
// uses it.
// Fix: The memory has room for the buffer after the offset.
// EXPECT error binding-invalid vkBindBufferMemory at BIND
// EXPECT-FACT vuid=VUID-vkBindBufferMemory-None-10741
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
#ifdef DEFECT
  const VkDeviceMemory memory = Allocate(needs, 0);
  // @BIND
  vkBindBufferMemory(device, buffer, memory, needs.alignment);
#else
  VkMemoryRequirements both = needs;
  both.size += needs.alignment;
  const VkDeviceMemory memory = Allocate(both, 0);
  OK(vkBindBufferMemory(device, buffer, memory, needs.alignment));
#endif
  Close(buffer, memory, staging);
}
