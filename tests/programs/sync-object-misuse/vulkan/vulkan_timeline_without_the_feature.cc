// Defect: A timeline semaphore is created on a device without the feature timelineSemaphore.
// Fix: The device is created with the feature.
// EXPECT error sync-object-misuse vkCreateSemaphore at CREATE
// EXPECT-FACT vuid=VUID-VkSemaphoreTypeCreateInfo-timelineSemaphore-03252
// EXIT any
#include "common/vulkan.h"

int main() {
  VkPhysicalDeviceTimelineSemaphoreFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
#ifndef DEFECT
  features.timelineSemaphore = VK_TRUE;
#endif
  Open({.features = &features});
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  VkSemaphore semaphore;
  // @CREATE
  OK(vkCreateSemaphore(device, &info, nullptr, &semaphore));
  Close(semaphore);
}
