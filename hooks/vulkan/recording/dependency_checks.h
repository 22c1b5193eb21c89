// Checks of the dependencies between the subpasses of a render pass.
#pragma once

#include "hooks/vulkan/call/call.h"

namespace gpusan::vulkan {

// The functions below add findings for dependencies that name subpasses which the pass lacks or
// which are in no order, or that name stages and accesses that do not fit. Thread-safe.
void CheckDependencies(VkCall& call, const VkRenderPassCreateInfo& info);
void CheckDependencies(VkCall& call, const VkRenderPassCreateInfo2& info);

}  // namespace gpusan::vulkan
