// A command buffer is recorded once and submitted again and again, each time when the last is
// complete; it writes what it wrote before.
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  const VkSubmitInfo info = SubmitInfo();
  for (int i = 0; i < 10; ++i) {
    OK(vkQueueSubmit(queue, 1, &info, fence));
    OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
    OK(vkResetFences(device, 1, &fence));
  }
  Close(fence, a, b);
}
