// The buffer has memory before it is used.
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
  OK(vkBindBufferMemory(device, buffer, memory, 0));
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, staging.handle, buffer, 1, &all);
  Run();
  vkDestroyBuffer(device, buffer, nullptr);
  vkFreeMemory(device, memory, nullptr);
  Destroy(staging);
  Close();
}
