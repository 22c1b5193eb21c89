// Defect: A semaphore is signaled after the clears of a submission, and the next submission waits
// for it before it overwrites what the first one copies.
// Fix: The semaphore is signaled after the copies.
// EXPECT error missing-barrier vkCmdCopyBuffer at COPY
// EXPECT-PARTY earlier-access at COPY
// EXPECT-FACT hazard=WAW
#include "common/vulkan.h"

int main() {
  VkPhysicalDeviceSynchronization2Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES};
  features.synchronization2 = VK_TRUE;
  Open({.features = &features});
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  // @COPY
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &semaphore));
  VkCommandBufferSubmitInfo buffer = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
  buffer.commandBuffer = commands;
  VkSemaphoreSubmitInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
  signal.semaphore = semaphore;
#ifdef DEFECT
  signal.stageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT;
#else
  signal.stageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
#endif
  VkSemaphoreSubmitInfo wait = signal;
  wait.stageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
  VkSubmitInfo2 submits[2] = {{VK_STRUCTURE_TYPE_SUBMIT_INFO_2}, {VK_STRUCTURE_TYPE_SUBMIT_INFO_2}};
  for (VkSubmitInfo2& submit : submits) {
    submit.commandBufferInfoCount = 1;
    submit.pCommandBufferInfos = &buffer;
  }
  submits[0].signalSemaphoreInfoCount = 1;
  submits[0].pSignalSemaphoreInfos = &signal;
  submits[1].waitSemaphoreInfoCount = 1;
  submits[1].pWaitSemaphoreInfos = &wait;
  OK(vkQueueSubmit2(queue, 2, submits, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(semaphore, a, b);
}
