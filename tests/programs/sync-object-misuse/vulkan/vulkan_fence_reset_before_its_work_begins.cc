// Defect: Resets the fence of a submission that still waits for a timeline value.
// Fix: Signals the value and waits for the fence first.
// EXPECT error sync-object-misuse vkResetFences at RESET
// EXPECT-FACT vuid=VUID-vkResetFences-pFences-01123
// EXPECT-PARTY pending-command at SUBMIT
#include "common/vulkan_timeline.h"

int main() {
  OpenWithTimelines();
  const VkSemaphore semaphore = MakeTimeline();
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  const uint64_t value = 1;
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &value;
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO, &values};
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &semaphore;
  info.pWaitDstStageMask = &stage;
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, fence));
  VkSemaphoreSignalInfo now = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  now.semaphore = semaphore;
  now.value = value;
#ifndef DEFECT
  OK(vkSignalSemaphore(device, &now));
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
#endif
  // @RESET
  OK(vkResetFences(device, 1, &fence));
#ifdef DEFECT
  OK(vkSignalSemaphore(device, &now));
#endif
  OK(vkQueueWaitIdle(queue));
  Close(semaphore, fence);
}
