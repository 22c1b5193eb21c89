// A second device beside that of common/vulkan.h, for the programs about two of them.
#pragma once

#include "common/vulkan.h"

// A plain device with one queue of `family`. The caller destroys it.
[[maybe_unused]] static VkDevice MakeDevice() {
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue_info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue_info.queueFamilyIndex = family;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue_info;
  VkDevice made;
  OK(vkCreateDevice(physical, &info, nullptr, &made));
  return made;
}
