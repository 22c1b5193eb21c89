// Samplers.
#pragma once

#include "common/vulkan.h"

// Clamps to the edge, without filters and LODs.
[[maybe_unused]] static VkSamplerCreateInfo PlainSampler() {
  VkSamplerCreateInfo info = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  return info;
}

// Opens the device with the feature samplerAnisotropy, if `enabled`.
[[maybe_unused]] static void OpenForAnisotropy(VkBool32 enabled) {
  VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  features.features.samplerAnisotropy = enabled;
  Open({.features = &features});
  VkPhysicalDeviceFeatures has;
  vkGetPhysicalDeviceFeatures(physical, &has);
  NEEDS(has.samplerAnisotropy);
}
