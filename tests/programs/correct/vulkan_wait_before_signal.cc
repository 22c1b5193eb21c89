// A submission waits for a timeline value that the host signals later, another one polls it, and a
// command buffer is used again as soon as the counter tells that it is done.
#include <thread>

#include "common/vulkan.h"

int main() {
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
  timeline.timelineSemaphore = VK_TRUE;
  Wanted wanted;
  wanted.features = &timeline;
  Open(wanted);
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  VkSemaphore semaphore;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &semaphore));
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  for (uint64_t round = 0; round < 5; ++round) {
    Begin();
    vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
    OK(vkEndCommandBuffer(commands));
    const uint64_t wait = 2 * round + 1, signal = wait + 1;
    VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
    values.pWaitSemaphoreValues = &wait;
    values.pSignalSemaphoreValues = &signal;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkSubmitInfo info = SubmitInfo();
    info.pNext = &values;
    info.waitSemaphoreCount = info.signalSemaphoreCount = 1;
    info.pWaitSemaphores = info.pSignalSemaphores = &semaphore;
    info.pWaitDstStageMask = &stage;
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    VkSemaphoreSignalInfo now = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
    now.semaphore = semaphore;
    now.value = wait;
    OK(vkSignalSemaphore(device, &now));
    for (uint64_t value = 0; value < signal; std::this_thread::yield())
      OK(vkGetSemaphoreCounterValue(device, semaphore, &value));
  }
  vkDestroySemaphore(device, semaphore, nullptr);
  Destroy(a);
  Destroy(b);
  Close();
}
