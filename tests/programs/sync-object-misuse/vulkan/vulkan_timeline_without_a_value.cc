// Defect: A submission has no value for its timeline semaphore.
// Fix: A chained structure has the value.
// EXPECT error sync-object-misuse vkQueueSubmit at SUBMIT
// EXPECT-FACT vuid=VUID-VkSubmitInfo-pWaitSemaphores-03239
// MAY sticky-error
// EXIT any
#include "common/vulkan_timeline.h"

int main() {
  OpenWithTimelines();
  const VkSemaphore semaphore = MakeTimeline();
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &semaphore;
#ifndef DEFECT
  const uint64_t value = 1;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.signalSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = &value;
  info.pNext = &values;
#endif
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(semaphore);
}
