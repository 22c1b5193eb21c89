// Defect: A thread submits to a queue while another thread is inside of a wait for the device, and so for
//   all its queues.
// Fix: Both threads hold a mutex during their calls.
// EXPECT error sync-object-misuse vkQueueSubmit at SECOND
// EXPECT-PARTY other-thread at FIRST
// EXPECT-FACT other_call=vkDeviceWaitIdle
// EXIT any
#include "common/vulkan_threads.h"

static void Second() {
#ifndef DEFECT
  const std::lock_guard lock(the_mutex);
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SECOND
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}

int main() {
  OpenForThreads();
  Begin();
  OK(vkEndCommandBuffer(commands));
  CallInside("vkDeviceWaitIdle", [] { RunBeside(Second); });
  {
#ifndef DEFECT
    const std::lock_guard lock(the_mutex);
#endif
    // @FIRST
    OK(vkDeviceWaitIdle(device));
  }
  JoinSecond();
  OK(vkDeviceWaitIdle(device));
  Close();
}
