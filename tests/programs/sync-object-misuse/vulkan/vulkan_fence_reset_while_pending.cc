// Defect: Resets a fence right behind the submission that signals it.
// Fix: Waits for the fence first.
// EXPECT error sync-object-misuse vkResetFences at RESET
// EXPECT-FACT vuid=VUID-vkResetFences-pFences-01123
// EXPECT-PARTY pending-command at SUBMIT
#include "common/vulkan.h"

int main() {
  Open();
  VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, fence));
#ifndef DEFECT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
#endif
  // @RESET
  OK(vkResetFences(device, 1, &fence));
  OK(vkQueueWaitIdle(queue));
  Close(fence, a, b);
}
