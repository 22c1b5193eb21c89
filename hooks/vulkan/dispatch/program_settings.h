// What a program says to layers with VK_EXT_layer_settings.
#pragma once

#include <vector>

#include "hooks/vulkan/dispatch/layer_entry.h"

namespace gpusan::vulkan {

// The name of the layer in manifests and in the structures of that extension.
inline constexpr const char* kLayerName = "VK_LAYER_GPUSAN_shadow";
// ... and of its implicit variant.
inline constexpr const char* kImplicitLayerName = "VK_LAYER_GPUSAN_shadow_implicit";

// Those for gpusan, in their order, from the chain of an instance's creation.
std::vector<ProgramSetting> SettingsIn(const void* chain);

}  // namespace gpusan::vulkan
