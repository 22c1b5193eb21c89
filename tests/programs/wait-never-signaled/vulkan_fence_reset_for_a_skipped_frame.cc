// Defect: Each frame waits for its fence and resets it. One frame then submits nothing, so that the wait
//   of the next frame has no end.
// Fix: A frame resets the fence right before the submission that is given it.
// The test layer ends the process inside of the wait.
// EXPECT error wait-never-signaled vkWaitForFences at WAIT
// EXPECT-PARTY reset at RESET
// OPTION --leaks=0
#include "common/vulkan_threads.h"

int main() {
  OpenForThreads();
  VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  info.flags = VK_FENCE_CREATE_SIGNALED_BIT;
  VkFence fence;
  OK(vkCreateFence(device, &info, nullptr, &fence));
  for (int frame = 0; frame < 4; ++frame) {
    const bool skipped = frame == 2;
#ifdef DEFECT
    if (frame == 3) CallInside("vkWaitForFences", [] { exit(0); });
#endif
    // @WAIT
    OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
#ifndef DEFECT
    if (skipped) continue;
#endif
    // @RESET
    OK(vkResetFences(device, 1, &fence));
    if (skipped) continue;
    OK(vkQueueSubmit(queue, 0, nullptr, fence));
  }
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  Close(fence);
}
