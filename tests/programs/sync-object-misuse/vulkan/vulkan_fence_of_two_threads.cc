// Defect: A thread submits work with a fence while another thread is inside of a reset of the fence.
// Fix: Both threads hold a mutex during their calls.
// EXPECT error sync-object-misuse vkQueueSubmit at SECOND
// EXPECT-PARTY other-thread at FIRST
// EXPECT-FACT other_call=vkResetFences
// EXIT any
#include "common/vulkan_threads.h"

static VkFence fence;

static void Second() {
#ifndef DEFECT
  const std::lock_guard lock(the_mutex);
#endif
  // @SECOND
  OK(vkQueueSubmit(queue, 0, nullptr, fence));
}

int main() {
  OpenForThreads();
  const VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  OK(vkCreateFence(device, &info, nullptr, &fence));
  CallInside("vkResetFences", [] { RunBeside(Second); });
  {
#ifndef DEFECT
    const std::lock_guard lock(the_mutex);
#endif
    // @FIRST
    OK(vkResetFences(device, 1, &fence));
  }
  JoinSecond();
  OK(vkQueueWaitIdle(queue));
  Close(fence);
}
