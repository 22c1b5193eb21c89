// Defect: Records the command buffer of the last submission again without waiting for it.
// Fix: Waits for the fence of the last submission before it records the command buffer again.
// EXPECT error command-buffer-in-use vkBeginCommandBuffer at BEGIN
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkBeginCommandBuffer-commandBuffer-00049
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer a = MakeStaging(1 << 20), b = MakeBuffer(1 << 20);
  const VkBufferCopy all = {0, 0, 1 << 20};
  Begin();
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
#ifdef DEFECT
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#else
  VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  OK(vkQueueSubmit(queue, 1, &info, fence));
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  vkDestroyFence(device, fence, nullptr);
#endif
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  // @BEGIN
  vkBeginCommandBuffer(commands, &begin);
  vkEndCommandBuffer(commands);
  OK(vkQueueWaitIdle(queue));
  Close(a, b);
}
