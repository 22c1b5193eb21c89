// A queue waits for a value of a timeline that the host signals.
#include "common/vulkan.h"

namespace {

void Submit(VkSemaphore timeline, uint64_t wait, uint64_t signal, VkCommandBuffer one) {
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &wait;
  values.pSignalSemaphoreValues = &signal;
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO, &values};
  info.waitSemaphoreCount = info.signalSemaphoreCount = 1;
  info.pWaitSemaphores = info.pSignalSemaphores = &timeline;
  info.pWaitDstStageMask = &stage;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &one;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}

}  // namespace

int main() {
  VkPhysicalDeviceTimelineSemaphoreFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
  features.timelineSemaphore = VK_TRUE;
  Open({.features = &features});
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  VkSemaphore timeline;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &timeline));
  const Buffer target = MakeBuffer(4096);
  Begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdFillBuffer(commands, target.handle, 0, 4096, 0);
  OK(vkEndCommandBuffer(commands));
  Submit(timeline, 0, 1, commands);
  Submit(timeline, 2, 3, commands);
  VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, timeline, 2};
  const uint64_t first = 1;
  VkSemaphoreWaitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  wait.semaphoreCount = 1;
  wait.pSemaphores = &timeline;
  wait.pValues = &first;
  const VkResult waited = vkWaitSemaphores(device, &wait, ~0ull);
  CHECK(waited == VK_SUCCESS);
  vkSignalSemaphore(device, &signal);
  vkDeviceWaitIdle(device);
  vkDestroySemaphore(device, timeline, nullptr);
  Destroy(target);
  Close();
}
