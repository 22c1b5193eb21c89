// Waits for values of timeline semaphores that come later, or are skipped.
#include <thread>

#include "common/vulkan_threads.h"
#include "common/vulkan_timeline.h"

// A submission waits for a timeline value that the host signals later, another one polls it, and a
// command buffer is used again as soon as the counter tells that it is done.
static void WaitBeforeSignal() {
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

// A submission signals 5, and the host waits for 3: the semaphore skips the values in between, so
// that the wait ends with the submission.
static void WaitBelowTheSignaledValue() {
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

// The main thread waits for a timeline value that another thread signals later, and for the work of a
// submission that waits for it.
static VkSemaphore timeline;

static void WaitsBeforeAnotherThreadSignals() {
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

// Two hundred submissions before the host waits for the first by the value of a timeline; then each
// command buffer is reset behind the wait for its own submission, while the later ones are pending.
static void ManySubmissionsInFlight() {
  OpenWithTimelines();
  constexpr uint32_t kSubmissions = 200;
  const Buffer target = MakeBuffer(4 * kSubmissions);
  const VkSemaphore timeline = MakeTimeline();
  VkCommandBuffer buffers[kSubmissions];
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = kSubmissions;
  OK(vkAllocateCommandBuffers(device, &allocate, buffers));
  for (uint32_t i = 0; i < kSubmissions; ++i) {
    commands = buffers[i];
    Begin();
    vkCmdFillBuffer(commands, target.handle, 4 * i, 4, i);
    OK(vkEndCommandBuffer(commands));
    const uint64_t value = i + 1;
    VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    values.signalSemaphoreValueCount = 1;
    values.pSignalSemaphoreValues = &value;
    VkSubmitInfo info = SubmitInfo();
    info.pNext = &values;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &timeline;
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  }
  for (uint64_t value = 1; value <= kSubmissions; ++value) {
    VkSemaphoreWaitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    wait.semaphoreCount = 1;
    wait.pSemaphores = &timeline;
    wait.pValues = &value;
    OK(vkWaitSemaphores(device, &wait, UINT64_MAX));
    OK(vkResetCommandBuffer(buffers[value - 1], 0));
  }
  Close(timeline, target);
}

int main() {
  WaitBeforeSignal();
  WaitBelowTheSignaledValue();
  WaitsBeforeAnotherThreadSignals();
  ManySubmissionsInFlight();
}
