// Defect: The main thread waits for a fence that no submission was given, until another thread ends the
//   process.
// Fix: A submission is given the fence before the wait.
// EXPECT error wait-never-signaled vkWaitForFences at WAIT
// EXPECT-TEXT until the process ends
// OPTION --leaks=0
#include "common/vulkan_threads.h"

int main() {
  OpenForThreads();
  const VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &info, nullptr, &fence));
#ifndef DEFECT
  OK(vkQueueSubmit(queue, 0, nullptr, fence));
#endif
  EndDuring("vkWaitForFences");
  // @WAIT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
}
