// Defect: Records a copy into a buffer that was never given memory, and does not submit it.
// Fix: The buffer has memory before it is used.
// EXPECT error unbound-memory vkCmdCopyBuffer at COPY
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer staging = MakeStaging(4096);
  const VkBufferCreateInfo info = BufferInfo(4096);
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
#ifndef DEFECT
  const VkDeviceMemory memory = Allocate(needs, 0);
  OK(vkBindBufferMemory(device, buffer, memory, 0));
#endif
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  // @COPY
  vkCmdCopyBuffer(commands, staging.handle, buffer, 1, &all);
#ifdef DEFECT
  OK(vkEndCommandBuffer(commands));
  vkDestroyBuffer(device, buffer, nullptr);
#else
  Run();
  vkDestroyBuffer(device, buffer, nullptr);
  vkFreeMemory(device, memory, nullptr);
#endif
  Close(staging);
}
