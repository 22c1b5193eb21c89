// Defect: Creates an anisotropic sampler without the feature samplerAnisotropy.
// Fix: The feature is enabled.
// EXPECT error usage-missing vkCreateSampler at CREATE
// EXPECT-FACT vuid=VUID-VkSamplerCreateInfo-anisotropyEnable-01070
// EXIT any
#include "common/vulkan_samplers.h"

int main() {
#ifdef DEFECT
  OpenForAnisotropy(VK_FALSE);
#else
  OpenForAnisotropy(VK_TRUE);
#endif
  VkSamplerCreateInfo info = PlainSampler();
  info.anisotropyEnable = VK_TRUE;
  info.maxAnisotropy = 2;
  VkSampler sampler;
  // @CREATE
  OK(vkCreateSampler(device, &info, nullptr, &sampler));
  Close(sampler);
}
