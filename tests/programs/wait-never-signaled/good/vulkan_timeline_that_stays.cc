// Work waits for a timeline value that the host signals afterwards, and the program ends by exit.
// OPTION --leaks=0
#include "common/vulkan.h"

int main() {
  VkPhysicalDeviceVulkan12Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  features.timelineSemaphore = VK_TRUE;
  Wanted wanted;
  wanted.features = &features;
  Open(wanted);
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  VkSemaphore semaphore;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &semaphore));
  const uint64_t value = 7;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &value;
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO, &values};
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &semaphore;
  info.pWaitDstStageMask = &stage;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  signal.semaphore = semaphore;
  signal.value = value;
  OK(vkSignalSemaphore(device, &signal));
  OK(vkQueueWaitIdle(queue));
  exit(0);
}
