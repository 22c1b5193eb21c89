// Defect signalled_twice: Signals a binary semaphore a second time before anything has waited for
// the first signal.
// EXPECT error sync-object-misuse vkQueueSubmit at SECOND
// EXPECT-PARTY earlier-signal at FIRST
// Defect waited_twice: Waits a second time for a binary semaphore that was signaled once.
// EXPECT error sync-object-misuse vkQueueSubmit at SECOND_2
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pWaitSemaphores-03238
// EXIT any
// Defect waited_before_its_signal: Submits a wait for a binary semaphore that no submitted work
// signals. The wait is behind another one, for a timeline value, that the host signals only later.
// EXPECT error sync-object-misuse vkQueueSubmit at WAIT
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pWaitSemaphores-03238
// MAY wait-never-signaled
// EXIT any
// Fix: Each signal of the semaphore has one wait behind it.
#include "common/vulkan.h"
#include "common/vulkan_timeline.h"

// Fix: Waits for each signal of a binary semaphore.
static void SignalledTwice() {
  Open();
  VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &semaphore));
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &semaphore;
  // @FIRST
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT_signalled_twice
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &semaphore;
  info.pWaitDstStageMask = &stage;
#endif
  // @SECOND
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(semaphore);
}

// Fix: Signals it again before the second wait. A driver may never return from such a submission:
// the process ends inside of the call.
static void WaitedTwice() {
  Wanted wanted;
#ifdef DEFECT_waited_twice
  setenv("GPUSAN_TEST_END", "1", 1);
  wanted.lost_by = "vkQueueSubmit:3";
#endif
  Open(wanted);
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &semaphore));
  VkSubmitInfo signals = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  signals.signalSemaphoreCount = 1;
  signals.pSignalSemaphores = &semaphore;
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo waits = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  waits.waitSemaphoreCount = 1;
  waits.pWaitSemaphores = &semaphore;
  waits.pWaitDstStageMask = &stage;
  OK(vkQueueSubmit(queue, 1, &signals, VK_NULL_HANDLE));
  OK(vkQueueSubmit(queue, 1, &waits, VK_NULL_HANDLE));
#ifndef DEFECT_waited_twice
  OK(vkQueueSubmit(queue, 1, &signals, VK_NULL_HANDLE));
#endif
  // @SECOND_2
  OK(vkQueueSubmit(queue, 1, &waits, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(semaphore);
}

// Fix: Submits the signal of the binary semaphore before the wait. A driver may never return from
// such a submission: the process ends inside of the call.
static void WaitedBeforeItsSignal() {
  Wanted wanted;
#ifdef DEFECT_waited_before_its_signal
  setenv("GPUSAN_TEST_END", "1", 1);
  wanted.lost_by = "vkQueueSubmit:2";
#endif
  OpenWithTimelines(wanted);
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore binary;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &binary));
  const VkSemaphore timeline = MakeTimeline();
#ifndef DEFECT_waited_before_its_signal
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

int main() {
  SignalledTwice();
  WaitedTwice();
  WaitedBeforeItsSignal();
}
