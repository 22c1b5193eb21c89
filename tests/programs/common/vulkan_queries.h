// Query pools.
#pragma once

#include "common/vulkan.h"

[[maybe_unused]] static VkQueryPool MakeQueries(VkQueryType type, uint32_t count) {
  VkQueryPoolCreateInfo info = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = type;
  info.queryCount = count;
  VkQueryPool queries;
  OK(vkCreateQueryPool(device, &info, nullptr, &queries));
  return queries;
}
