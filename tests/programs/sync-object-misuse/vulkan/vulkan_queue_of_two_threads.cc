// Defect: A thread waits for a queue while another thread is inside of a submission to it.
// Fix: Both threads hold a mutex during their calls.
// EXPECT error sync-object-misuse vkQueueWaitIdle at SECOND
// EXPECT-PARTY other-thread at FIRST
// EXPECT-FACT other_call=vkQueueSubmit
// EXIT any
#include "common/vulkan_threads.h"

static void Second() {
#ifndef DEFECT
  const std::lock_guard lock(the_mutex);
#endif
  // @SECOND
  OK(vkQueueWaitIdle(queue));
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
  OK(vkQueueWaitIdle(queue));
  Close();
}
