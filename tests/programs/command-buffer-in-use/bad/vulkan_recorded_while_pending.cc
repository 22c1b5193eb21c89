// Records the command buffer of the last submission anew without waiting for it.
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
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  // @BEGIN
  vkBeginCommandBuffer(commands, &begin);
  vkEndCommandBuffer(commands);
  OK(vkQueueWaitIdle(queue));
  Destroy(a);
  Destroy(b);
  Close();
}
