// Defect: Submits with a fence that is still signaled by the submission before.
// Fix: Resets the fence between its wait and the next submission.
// EXPECT error sync-object-misuse vkQueueSubmit at SECOND
// EXPECT-FACT vuid=VUID-vkQueueSubmit-fence-00063
#include "common/vulkan.h"

int main() {
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
