// A submission waits for a timeline value that the host signals later, another one polls it, and a
// command buffer is used again as soon as the counter tells that it is done.
#include <thread>

#include "common/vulkan_timeline.h"

int main() {
  OpenWithTimelines();
  const VkSemaphore semaphore = MakeTimeline();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  for (uint64_t round = 0; round < 5; ++round) {
    Begin();
    vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
    OK(vkEndCommandBuffer(commands));
    const uint64_t wait = 2 * round + 1, signal = wait + 1;
    SubmitBetween(semaphore, wait, signal);
    VkSemaphoreSignalInfo now = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
    now.semaphore = semaphore;
    now.value = wait;
    OK(vkSignalSemaphore(device, &now));
    for (uint64_t value = 0; value < signal; std::this_thread::yield())
      OK(vkGetSemaphoreCounterValue(device, semaphore, &value));
  }
  Close(semaphore, a, b);
}
