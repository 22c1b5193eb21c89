// Defect anisotropy_above_the_limit: A sampler has twice the anisotropy that the device allows.
// EXPECT error flag-conflict vkCreateSampler at CREATE
// EXPECT-FACT vuid=VUID-VkSamplerCreateInfo-anisotropyEnable-01071
// EXIT any
// Defect unnormalized_coordinates_with_mip_levels: A sampler of texel coordinates selects mip
// levels, too.
// EXPECT error flag-conflict vkCreateSampler at CREATE_2
// EXPECT-FACT vuid=VUID-VkSamplerCreateInfo-unnormalizedCoordinates-01074
// EXIT any
// Fix: The sampler has what the device allows for its coordinates.
#include "common/vulkan_objects.h"

// Fix: It has the largest one.
static void AnisotropyAboveTheLimit() {
  OpenForAnisotropy(VK_TRUE);
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  VkSamplerCreateInfo info = PlainSampler();
  info.anisotropyEnable = VK_TRUE;
  info.maxAnisotropy = properties.limits.maxSamplerAnisotropy;
#ifdef DEFECT_anisotropy_above_the_limit
  info.maxAnisotropy *= 2;
#endif
  VkSampler sampler;
  // @CREATE
  OK(vkCreateSampler(device, &info, nullptr, &sampler));
  Close(sampler);
}

// Fix: Its LODs are 0.
static void UnnormalizedCoordinatesWithMipLevels() {
  Open();
  VkSamplerCreateInfo info = PlainSampler();
  info.unnormalizedCoordinates = VK_TRUE;
#ifdef DEFECT_unnormalized_coordinates_with_mip_levels
  info.maxLod = VK_LOD_CLAMP_NONE;
#endif
  VkSampler sampler;
  // @CREATE_2
  OK(vkCreateSampler(device, &info, nullptr, &sampler));
  Close(sampler);
}

int main() {
  AnisotropyAboveTheLimit();
  UnnormalizedCoordinatesWithMipLevels();
}
