// Defect: Destroys the instance while a device is left, which the driver may not survive.
// Fix: Destroys both devices before the instance.
// EXPECT warning leak vkCreateDevice at DEVICE
// EXPECT-FACT vuid=VUID-vkDestroyInstance-instance-00629
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue_info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue_info.queueFamilyIndex = family;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  VkDeviceCreateInfo device_info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  device_info.queueCreateInfoCount = 1;
  device_info.pQueueCreateInfos = &queue_info;
  VkDevice second;
  // @DEVICE
  OK(vkCreateDevice(physical, &device_info, nullptr, &second));
#ifndef DEFECT
  vkDestroyDevice(second, nullptr);
#endif
  Close();
}
