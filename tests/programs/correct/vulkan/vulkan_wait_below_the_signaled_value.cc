// A submission signals 5, and the host waits for 3: the semaphore skips the values in between, so
// that the wait ends with the submission.
#include "common/vulkan_timeline.h"

int main() {
  OpenWithTimelines();
  const Buffer target = MakeBuffer(256);
  const VkSemaphore timeline = MakeTimeline();
  Begin();
  vkCmdFillBuffer(commands, target.handle, 0, 256, 7);
  OK(vkEndCommandBuffer(commands));
  SubmitBetween(timeline, 0, 5);
  const uint64_t value = 3;
  VkSemaphoreWaitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  wait.semaphoreCount = 1;
  wait.pSemaphores = &timeline;
  wait.pValues = &value;
  OK(vkWaitSemaphores(device, &wait, UINT64_MAX));
  OK(vkResetCommandBuffer(commands, 0));
  Close(target, timeline);
}
