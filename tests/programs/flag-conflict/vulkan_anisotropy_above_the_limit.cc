// Defect: A sampler has twice the anisotropy that the device allows.
// Fix: It has the largest one.
// EXPECT error flag-conflict vkCreateSampler at CREATE
// EXPECT-FACT vuid=VUID-VkSamplerCreateInfo-anisotropyEnable-01071
// EXIT any
#include "common/vulkan_samplers.h"

int main() {
  OpenForAnisotropy(VK_TRUE);
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  VkSamplerCreateInfo info = PlainSampler();
  info.anisotropyEnable = VK_TRUE;
  info.maxAnisotropy = properties.limits.maxSamplerAnisotropy;
#ifdef DEFECT
  info.maxAnisotropy *= 2;
#endif
  VkSampler sampler;
  // @CREATE
  OK(vkCreateSampler(device, &info, nullptr, &sampler));
  Close(sampler);
}
