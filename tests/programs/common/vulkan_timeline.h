// Timeline semaphores.
#pragma once

#include "common/vulkan.h"

// `wanted` without a chain of features.
[[maybe_unused]] static void OpenWithTimelines(Wanted wanted = {}) {
  VkPhysicalDeviceTimelineSemaphoreFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
  features.timelineSemaphore = VK_TRUE;
  wanted.features = &features;
  Open(wanted);
}

// Its value is 0.
[[maybe_unused]] static VkSemaphore MakeTimeline() {
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  const VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
  VkSemaphore made;
  OK(vkCreateSemaphore(device, &info, nullptr, &made));
  return made;
}

// The program's commands, between one value and another.
[[maybe_unused]] static void SubmitBetween(VkSemaphore timeline, uint64_t wait, uint64_t signal) {
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &wait;
  values.pSignalSemaphoreValues = &signal;
  VkSubmitInfo info = SubmitInfo();
  info.pNext = &values;
  info.waitSemaphoreCount = info.signalSemaphoreCount = 1;
  info.pWaitSemaphores = info.pSignalSemaphores = &timeline;
  info.pWaitDstStageMask = &stage;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}
