// Defect: Signals a binary semaphore a second time before anything has waited for the first signal.
// Fix: Waits for each signal of a binary semaphore.
// EXPECT error sync-object-misuse vkQueueSubmit at SECOND
// EXPECT-PARTY earlier-signal at FIRST
#include "common/vulkan.h"

int main() {
  Open();
  VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &semaphore));
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &semaphore;
  // @FIRST
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT
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
