// Defect: A later submission of the queue signals a lower value of a timeline semaphore.
// Fix: The values grow in the order of submission.
// EXPECT error sync-object-misuse vkQueueSubmit at LOWER
// EXPECT-FACT vuid=VUID-VkSubmitInfo-pSignalSemaphores-03242
// EXPECT-PARTY earlier-command at HIGHER
// EXIT any
#include "common/vulkan_timeline.h"

int main() {
  OpenWithTimelines();
  const VkSemaphore semaphore = MakeTimeline();
  uint64_t value = 5;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.signalSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = &value;
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.pNext = &values;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &semaphore;
  // @HIGHER
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifdef DEFECT
  value = 3;
#else
  value = 6;
#endif
  // @LOWER
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(semaphore);
}
