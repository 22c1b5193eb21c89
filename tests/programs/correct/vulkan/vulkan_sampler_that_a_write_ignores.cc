// A descriptor set has an immutable sampler. The write of the set names another sampler, which is ignored, and which the
// program destroys before it uses the set.
#include "common/vulkan_look.h"

int main() {
  Open();
  const VkSamplerCreateInfo info = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  VkSampler ignored;
  OK(vkCreateSampler(device, &info, nullptr, &ignored));
  const Look look = MakeLook(true, ignored);
  vkDestroySampler(device, ignored, nullptr);
  Begin();
  Bind(look);
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  vkDestroySampler(device, look.sampler, nullptr);
  vkDestroyImageView(device, look.view, nullptr);
  vkDestroyBufferView(device, look.texels, nullptr);
  DestroyRest(look);
  Close();
}
