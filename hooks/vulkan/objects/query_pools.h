// Query pools: commands that use one must be done before it is destroyed.
#pragma once

#include "hooks/vulkan/objects/objects.h"

namespace gpusan::vulkan {

using CreateQueryPool = CreateHeld<ObjectKind::kQueryPool, VkQueryPoolCreateInfo, VkQueryPool>;
using DestroyQueryPool = DestroyHeld<ObjectKind::kQueryPool, VkQueryPool>;

}  // namespace gpusan::vulkan
