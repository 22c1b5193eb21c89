// Defect: The host waits without a time-out for a fence that no submission was given.
// Fix: A submission is given the fence before the wait.
// The test layer ends the process inside of the wait.
// EXPECT error wait-never-signaled vkWaitForFences at WAIT
// OPTION --leaks=0
#include "common/vulkan_threads.h"

int main() {
  OpenForThreads();
  const VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &info, nullptr, &fence));
#ifdef DEFECT
  CallInside("vkWaitForFences", [] { exit(0); });
#else
  OK(vkQueueSubmit(queue, 0, nullptr, fence));
#endif
  // @WAIT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  Close(fence);
}
