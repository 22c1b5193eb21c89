// Two hundred submissions before the host waits for the first by the value of a timeline; then each
// command buffer is reset behind the wait for its own submission, while the later ones are pending.
#include "common/vulkan_timeline.h"

int main() {
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
