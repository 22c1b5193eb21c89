// Defect: The main thread waits for a timeline value that nothing signals, until another thread ends the
//   process.
// Fix: The value is signaled before the wait.
// EXPECT error wait-never-signaled vkWaitSemaphores at WAIT
// EXPECT-FACT value=5
// EXPECT-TEXT until the process ends
// OPTION --leaks=0
#include "common/vulkan_threads.h"
#include "common/vulkan_timeline.h"

int main() {
  Wanted wanted;
  wanted.calls_back = true;
  OpenWithTimelines(wanted);
  const VkSemaphore timeline = MakeTimeline();
  const uint64_t value = 5;
#ifndef DEFECT
  VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  signal.semaphore = timeline;
  signal.value = value;
  OK(vkSignalSemaphore(device, &signal));
#endif
  EndDuring("vkWaitSemaphores");
  VkSemaphoreWaitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  wait.semaphoreCount = 1;
  wait.pSemaphores = &timeline;
  wait.pValues = &value;
  // @WAIT
  OK(vkWaitSemaphores(device, &wait, UINT64_MAX));
}
