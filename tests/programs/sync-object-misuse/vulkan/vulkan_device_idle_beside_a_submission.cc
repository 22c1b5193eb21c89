// Defect: A thread waits for the device, and so for all its queues, while another thread is inside of a
//   submission to one of them.
// Fix: Both threads hold a mutex during their calls.
// EXPECT error sync-object-misuse vkDeviceWaitIdle at SECOND
// EXPECT-PARTY other-thread at FIRST
// EXPECT-FACT other_call=vkQueueSubmit
// EXIT any
#include "common/vulkan_threads.h"

static void Second() {
#ifndef DEFECT
  const std::lock_guard lock(the_mutex);
#endif
  // @SECOND
  OK(vkDeviceWaitIdle(device));
}

int main() {
  OpenForThreads();
  Begin();
  OK(vkEndCommandBuffer(commands));
  CallInside("vkQueueSubmit", [] { RunBeside(Second); });
  {
#ifndef DEFECT
    const std::lock_guard lock(the_mutex);
#endif
    const VkSubmitInfo info = SubmitInfo();
    // @FIRST
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  }
  JoinSecond();
  OK(vkDeviceWaitIdle(device));
  Close();
}
