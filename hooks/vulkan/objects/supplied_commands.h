// Commands of VK_EXT_debug_utils that gpusan supplies above drivers which lack the extension.
#pragma once

#include "hooks/vulkan/call/scope.h"

namespace gpusan::vulkan {

// Gives the commands of the extension that the next layer lacks a function that does nothing.
void SupplyDebugUtils(Device& device);
// Whether `name` is one of those, and the program may call it.
bool SuppliesDebugUtils(const Device& device, const char* name);

}  // namespace gpusan::vulkan
