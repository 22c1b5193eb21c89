// Defect: Destroys a buffer that a submission uses, which still waits for a timeline value.
// Fix: Signals the value and waits for the submission first.
// EXPECT error free-in-flight vkDestroyBuffer at DESTROY
// EXPECT-FACT vuid=VUID-vkDestroyBuffer-buffer-00922
// EXPECT-PARTY pending-command
// MAY use-after-free
// EXIT any
#include "common/vulkan_timeline.h"

int main() {
  OpenWithTimelines();
  const VkSemaphore semaphore = MakeTimeline();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  SubmitBetween(semaphore, 1, 2);
  VkSemaphoreSignalInfo now = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  now.semaphore = semaphore;
  now.value = 1;
#ifndef DEFECT
  OK(vkSignalSemaphore(device, &now));
  OK(vkQueueWaitIdle(queue));
#endif
  // @DESTROY
  vkDestroyBuffer(device, b.handle, nullptr);
#ifdef DEFECT
  OK(vkSignalSemaphore(device, &now));
  OK(vkQueueWaitIdle(queue));
#endif
  Close(b.memory, semaphore, a);
}
