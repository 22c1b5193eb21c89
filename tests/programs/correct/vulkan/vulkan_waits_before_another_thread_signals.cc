// The main thread waits for a timeline value that another thread signals later, and for the work of a
// submission that waits for it.
#include "common/vulkan_threads.h"
#include "common/vulkan_timeline.h"

static VkSemaphore timeline;

int main() {
  Wanted wanted;
  wanted.calls_back = true;
  OpenWithTimelines(wanted);
  timeline = MakeTimeline();
  Begin();
  OK(vkEndCommandBuffer(commands));
  SubmitBetween(timeline, 1, 2);
  CallInside("vkWaitSemaphores", [] {
    second_thread = std::thread([] {
      VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
      signal.semaphore = timeline;
      signal.value = 1;
      OK(vkSignalSemaphore(device, &signal));
    });
  });
  const uint64_t value = 2;
  VkSemaphoreWaitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  wait.semaphoreCount = 1;
  wait.pSemaphores = &timeline;
  wait.pValues = &value;
  OK(vkWaitSemaphores(device, &wait, UINT64_MAX));
  second_thread.join();
  OK(vkQueueWaitIdle(queue));
  Close(timeline);
}
