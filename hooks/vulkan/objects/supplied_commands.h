// Commands of VK_EXT_debug_utils that gpusan supplies above drivers which lack the extension.
#pragma once

#include "hooks/vulkan/call/scope.h"

namespace gpusan::vulkan {

// Sets each command of the extension that the next layer lacks to a function that does nothing.
void SupplyDebugUtils(Device& device);
// Whether `name` is a supplied command that the program may call.
bool SuppliesDebugUtils(const Device& device, const char* name);

}  // namespace gpusan::vulkan
