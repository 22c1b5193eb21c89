// Defect: A submission waits for a timeline value that a later submission to the same queue signals.
// Neither can ever run.
// Fix: The signal is submitted first.
// EXPECT error sync-object-misuse vkQueueSubmit at SIGNAL
// EXPECT-FACT vuid=VUID-VkSubmitInfo-pSignalSemaphores-03242
// EXPECT-PARTY earlier-command at WAIT
// OPTION --leaks=0
#include "common/vulkan_timeline.h"

int main() {
  OpenWithTimelines();
  const VkSemaphore semaphore = MakeTimeline();
  const Buffer buffer = MakeBuffer(4096);
  Begin();
  vkCmdFillBuffer(commands, buffer.handle, 0, VK_WHOLE_SIZE, 0);
  OK(vkEndCommandBuffer(commands));
  const uint64_t value = 1;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &value;
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo wait = SubmitInfo();
  wait.pNext = &values;
  wait.waitSemaphoreCount = 1;
  wait.pWaitSemaphores = &semaphore;
  wait.pWaitDstStageMask = &stage;
  VkTimelineSemaphoreSubmitInfo signaled = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  signaled.signalSemaphoreValueCount = 1;
  signaled.pSignalSemaphoreValues = &value;
  VkSubmitInfo signal = {VK_STRUCTURE_TYPE_SUBMIT_INFO, &signaled};
  signal.signalSemaphoreCount = 1;
  signal.pSignalSemaphores = &semaphore;
#ifndef DEFECT
  OK(vkQueueSubmit(queue, 1, &signal, VK_NULL_HANDLE));
#endif
  // @WAIT
  OK(vkQueueSubmit(queue, 1, &wait, VK_NULL_HANDLE));
#ifdef DEFECT
  // @SIGNAL
  OK(vkQueueSubmit(queue, 1, &signal, VK_NULL_HANDLE));
#else
  OK(vkQueueWaitIdle(queue));
#endif
  exit(0);
}
