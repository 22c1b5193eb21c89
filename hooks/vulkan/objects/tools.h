// vkGetPhysicalDeviceToolProperties: gpusan adds itself to the tools that are active.
#pragma once

#include <vulkan/vulkan_core.h>

#include "hooks/vulkan/call/call.h"

namespace gpusan::vulkan {

struct ListTools {
  BeforeOf<PFN_vkGetPhysicalDeviceToolProperties> Before;
  // Adds gpusan to the list. The result is VK_INCOMPLETE if the program's array is full.
  void After(VkCall& call, VkResult& result, VkPhysicalDevice physical, uint32_t* count,
             VkPhysicalDeviceToolProperties* tools);

 private:
  uint32_t capacity_ = 0;  // of the program's array
};

}  // namespace gpusan::vulkan
