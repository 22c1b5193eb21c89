// Settings that a program passes to layers by VK_EXT_layer_settings.
#pragma once

#include <vector>

#include "hooks/vulkan/dispatch/layer_entry.h"

namespace gpusan::vulkan {

// The name of the layer in manifests and in the structures of that extension.
inline constexpr const char* kLayerName = "VK_LAYER_GPUSAN_shadow";
// The name of its implicit variant.
inline constexpr const char* kImplicitLayerName = "VK_LAYER_GPUSAN_shadow_implicit";

// The settings for gpusan in the pNext chain of vkCreateInstance, in the program's order.
std::vector<ProgramSetting> SettingsIn(const void* chain);

}  // namespace gpusan::vulkan
