// A helper thread waits for the next value of a timeline semaphore when the main thread ends the process.
// OPTION --leaks=0
#include "common/vulkan_threads.h"
#include "common/vulkan_timeline.h"

static std::atomic<bool> waiting{false};

int main() {
  Wanted wanted;
  wanted.calls_back = true;
  OpenWithTimelines(wanted);
  const VkSemaphore timeline = MakeTimeline();
  CallInside("vkWaitSemaphores", [] { waiting = true; });
  std::thread([timeline] {
    const uint64_t value = 1;
    VkSemaphoreWaitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    wait.semaphoreCount = 1;
    wait.pSemaphores = &timeline;
    wait.pValues = &value;
    OK(vkWaitSemaphores(device, &wait, UINT64_MAX));
  }).detach();
  while (!waiting) std::this_thread::yield();
  exit(0);
}
