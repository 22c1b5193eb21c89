// Defect: Waits a second time for a binary semaphore that was signaled once.
// Fix: Signals it again before the second wait.
// A driver may never return from such a submission: the process ends inside of the call.
// EXPECT error sync-object-misuse vkQueueSubmit at SECOND
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pWaitSemaphores-03238
// EXIT any
#include "common/vulkan.h"

int main() {
  Wanted wanted;
#ifdef DEFECT
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
#ifndef DEFECT
  OK(vkQueueSubmit(queue, 1, &signals, VK_NULL_HANDLE));
#endif
  // @SECOND
  OK(vkQueueSubmit(queue, 1, &waits, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(semaphore);
}
