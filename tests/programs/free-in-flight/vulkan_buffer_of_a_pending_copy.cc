// Defect: Destroys a buffer and frees its memory while the copy that reads it may still run.
// Fix: Waits for the copy that reads a buffer before it destroys the buffer.
// EXPECT error free-in-flight vkDestroyBuffer at DESTROY
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkDestroyBuffer-buffer-00922
// EXPECT error free-in-flight vkFreeMemory at FREE
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkFreeMemory-memory-00677
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer source = MakeStaging(4096), target = MakeBuffer(4096);
  Begin();
  const VkBufferCopy all = {0, 0, 4096};
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT
  OK(vkQueueWaitIdle(queue));
#endif
  // @DESTROY
  vkDestroyBuffer(device, source.handle, nullptr);
  // @FREE
  vkFreeMemory(device, source.memory, nullptr);
#ifdef DEFECT
  OK(vkQueueWaitIdle(queue));
#endif
  Close(target);
}
