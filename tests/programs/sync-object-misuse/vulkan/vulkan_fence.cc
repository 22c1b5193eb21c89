// Defect: A fence is used again or reset while a submission may still signal it.
// Fix: The host waits for the fence, and then resets it.
#include "common/vulkan.h"
#include "common/vulkan_timeline.h"

// Defect: Submits with a fence that is still signaled by the submission before.
// Fix: Resets the fence between its wait and the next submission.
// EXPECT error sync-object-misuse vkQueueSubmit at SECOND
// EXPECT-FACT vuid=VUID-vkQueueSubmit-fence-00063
static void FenceNotReset() {
  Open();
  VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  const VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  OK(vkQueueSubmit(queue, 1, &info, fence));
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
#ifndef DEFECT
  OK(vkResetFences(device, 1, &fence));
#endif
  // @SECOND
  OK(vkQueueSubmit(queue, 1, &info, fence));
  OK(vkQueueWaitIdle(queue));
  Close(fence);
}

// Defect: Resets a fence right behind the submission that signals it.
// Fix: Waits for the fence first.
// EXPECT error sync-object-misuse vkResetFences at RESET
// EXPECT-FACT vuid=VUID-vkResetFences-pFences-01123
// EXPECT-PARTY pending-command at SUBMIT
static void FenceResetWhilePending() {
  Open();
  VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, fence));
#ifndef DEFECT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
#endif
  // @RESET
  OK(vkResetFences(device, 1, &fence));
  OK(vkQueueWaitIdle(queue));
  Close(fence, a, b);
}

// Defect: Resets the fence of a submission that still waits for a timeline value.
// Fix: Signals the value and waits for the fence first.
// EXPECT error sync-object-misuse vkResetFences at RESET_2
// EXPECT-FACT vuid=VUID-vkResetFences-pFences-01123
// EXPECT-PARTY pending-command at SUBMIT_2
static void FenceResetBeforeItsWorkBegins() {
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
  // @SUBMIT_2
  OK(vkQueueSubmit(queue, 1, &info, fence));
  VkSemaphoreSignalInfo now = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  now.semaphore = semaphore;
  now.value = value;
#ifndef DEFECT
  OK(vkSignalSemaphore(device, &now));
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
#endif
  // @RESET_2
  OK(vkResetFences(device, 1, &fence));
#ifdef DEFECT
  OK(vkSignalSemaphore(device, &now));
#endif
  OK(vkQueueWaitIdle(queue));
  Close(semaphore, fence);
}

int main() {
  FenceNotReset();
  FenceResetWhilePending();
  FenceResetBeforeItsWorkBegins();
}
