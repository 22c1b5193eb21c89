// Query pools.
#pragma once

#include "common/vulkan.h"

// The host may reset queries, and signal timeline semaphores.
[[maybe_unused]] static void OpenWithHostReset() {
  VkPhysicalDeviceVulkan12Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  features.hostQueryReset = features.timelineSemaphore = VK_TRUE;
  Open({.features = &features});
}

[[maybe_unused]] static VkQueryPool MakeQueries(VkQueryType type, uint32_t count) {
  VkQueryPoolCreateInfo info = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = type;
  info.queryCount = count;
  VkQueryPool queries;
  OK(vkCreateQueryPool(device, &info, nullptr, &queries));
  return queries;
}
