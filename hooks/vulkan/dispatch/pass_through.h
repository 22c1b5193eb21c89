// A Vulkan layer that watches nothing: what the loader gets from gpusan while Vulkan is not
// watched.
#pragma once

#include <vulkan/vulkan_core.h>

namespace gpusan::vulkan {

// As vkGetInstanceProcAddr and vkGetDeviceProcAddr of a layer. All commands but vkCreateInstance
// and vkCreateDevice, which take the layer's link out of the chain, are those of the next layer.
// Thread-safe.
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL PassingInstanceProcAddr(VkInstance instance,
                                                                 const char* name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL PassingDeviceProcAddr(VkDevice device, const char* name);

}  // namespace gpusan::vulkan
