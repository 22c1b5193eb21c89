// Defect: The host signals a greater value than the one that a pending submission will signal.
// Fix: The host signals only the value that the submission waits for.
// EXPECT error sync-object-misuse vkSignalSemaphore at SIGNAL
// EXPECT-FACT vuid=VUID-VkSemaphoreSignalInfo-value-03259
// MAY sync-object-misuse
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
#ifdef DEFECT
  now.value = 7;
#else
  now.value = 1;
#endif
  // @SIGNAL
  OK(vkSignalSemaphore(device, &now));
  OK(vkQueueWaitIdle(queue));
  Close(semaphore, a, b);
}
