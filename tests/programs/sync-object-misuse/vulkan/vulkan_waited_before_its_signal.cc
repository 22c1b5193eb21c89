// Defect: Submits a wait for a binary semaphore that no submitted work signals. The wait is behind
//   another one, for a timeline value, that the host signals only later.
// Fix: Submits the signal of the binary semaphore before the wait.
// A driver may never return from such a submission: the process ends inside of the call.
// EXPECT error sync-object-misuse vkQueueSubmit at WAIT
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pWaitSemaphores-03238
// MAY wait-never-signaled
// EXIT any
#include "common/vulkan_timeline.h"

int main() {
  Wanted wanted;
#ifdef DEFECT
  setenv("GPUSAN_TEST_END", "1", 1);
  wanted.lost_by = "vkQueueSubmit:2";
#endif
  OpenWithTimelines(wanted);
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore binary;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &binary));
  const VkSemaphore timeline = MakeTimeline();
#ifndef DEFECT
  VkSubmitInfo signals = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  signals.signalSemaphoreCount = 1;
  signals.pSignalSemaphores = &binary;
  OK(vkQueueSubmit(queue, 1, &signals, VK_NULL_HANDLE));
#endif
  const uint64_t one = 1;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &one;
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo waits = {VK_STRUCTURE_TYPE_SUBMIT_INFO, &values};
  waits.waitSemaphoreCount = 1;
  waits.pWaitSemaphores = &timeline;
  waits.pWaitDstStageMask = &stage;
  OK(vkQueueSubmit(queue, 1, &waits, VK_NULL_HANDLE));
  waits.pNext = nullptr;
  waits.pWaitSemaphores = &binary;
  // @WAIT
  OK(vkQueueSubmit(queue, 1, &waits, VK_NULL_HANDLE));
  VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  signal.semaphore = timeline;
  signal.value = one;
  OK(vkSignalSemaphore(device, &signal));
  OK(vkQueueWaitIdle(queue));
  Close(timeline, binary);
}
