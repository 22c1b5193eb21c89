// Defect: A sampler of texel coordinates selects mip levels, too.
// Fix: Its LODs are 0.
// EXPECT error flag-conflict vkCreateSampler at CREATE
// EXPECT-FACT vuid=VUID-VkSamplerCreateInfo-unnormalizedCoordinates-01074
// EXIT any
#include "common/vulkan_samplers.h"

int main() {
  Open();
  VkSamplerCreateInfo info = PlainSampler();
  info.unnormalizedCoordinates = VK_TRUE;
#ifdef DEFECT
  info.maxLod = VK_LOD_CLAMP_NONE;
#endif
  VkSampler sampler;
  // @CREATE
  OK(vkCreateSampler(device, &info, nullptr, &sampler));
  Close(sampler);
}
