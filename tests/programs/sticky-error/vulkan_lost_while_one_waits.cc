// Defect: A queue waits for a timeline value that the host has not signalled yet when the device is
// lost. That the value is never signalled is not reported. The fences, semaphores and buffers are
// destroyed while they are in use.
// Fix: The device is not lost, and the host signals the value.
// EXPECT error sticky-error vkWaitSemaphores VK_ERROR_DEVICE_LOST at WAIT
// EXPECT-PARTY recorded at FILL
// EXPECT-FACT pending_commands=1
#include "common/vulkan_barriers.h"
#include "common/vulkan_timeline.h"

int main() {
#ifdef DEFECT
  OpenWithTimelines({.lost_by = "vkWaitSemaphores"});
#else
  OpenWithTimelines();
#endif
  const VkSemaphore timeline = MakeTimeline();
  const Buffer target = MakeBuffer(4096);
  Begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
  // @FILL
  vkCmdFillBuffer(commands, target.handle, 0, 4096, 0);
  OK(vkEndCommandBuffer(commands));
  SubmitBetween(timeline, 0, 1);
  SubmitBetween(timeline, 2, 3);
  VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, timeline, 2};
  const uint64_t first = 1;
  VkSemaphoreWaitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  wait.semaphoreCount = 1;
  wait.pSemaphores = &timeline;
  wait.pValues = &first;
  // @WAIT
  const VkResult waited = vkWaitSemaphores(device, &wait, ~0ull);
#ifdef DEFECT
  CHECK(waited == VK_ERROR_DEVICE_LOST);
  // The driver below lives, and must not wait for ever.
#else
  CHECK(waited == VK_SUCCESS);
#endif
  vkSignalSemaphore(device, &signal);
  vkDeviceWaitIdle(device);
  Close(timeline, target);
}
