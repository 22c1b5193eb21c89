// vkCreateInstance, vkCreateDevice and vkDestroyInstance: they make and destroy dispatch tables.
// vkDestroyDevice is in waits/device_end.h.
#pragma once

#include "hooks/vulkan/call/call.h"

namespace gpusan::vulkan {

struct CreateInstance {
  static VkResult Unwatched(const VkInstanceCreateInfo* info,
                            const VkAllocationCallbacks* allocator, VkInstance* instance);
  static VkResult Around(VkCall& call, const VkInstanceCreateInfo* info,
                         const VkAllocationCallbacks* allocator, VkInstance* instance);
};
struct DestroyInstance {
  static void Around(VkCall& call, VkInstance instance, const VkAllocationCallbacks* allocator);
};
struct CreateDevice {
  static VkResult Around(VkCall& call, VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                         const VkAllocationCallbacks* allocator, VkDevice* device);
};

}  // namespace gpusan::vulkan
