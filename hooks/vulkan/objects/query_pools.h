// Query pools: commands that use a pool must be complete before it is destroyed.
#pragma once

#include "hooks/vulkan/objects/objects.h"

namespace gpusan::vulkan {

using CreateQueryPool = CreateHeld<ObjectKind::kQueryPool, VkQueryPoolCreateInfo, VkQueryPool>;
using DestroyQueryPool = DestroyHeld<ObjectKind::kQueryPool, VkQueryPool>;

}  // namespace gpusan::vulkan
