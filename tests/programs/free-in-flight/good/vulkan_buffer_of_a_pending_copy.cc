// Waits for the copy that reads a buffer before it destroys the buffer.
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer source = MakeStaging(4096), target = MakeBuffer(4096);
  Begin();
  const VkBufferCopy all = {0, 0, 4096};
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  vkDestroyBuffer(device, source.handle, nullptr);
  vkFreeMemory(device, source.memory, nullptr);
  Destroy(target);
  Close();
}
