// Records a copy from a buffer, and destroys it afterwards.
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer source = MakeStaging(4096), target = MakeBuffer(4096);
  Begin();
  const VkBufferCopy all = {0, 0, 4096};
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  // It is not submitted.
  OK(vkEndCommandBuffer(commands));
  vkDestroyBuffer(device, source.handle, nullptr);
  vkFreeMemory(device, source.memory, nullptr);
  Destroy(target);
  Close();
}
