// Defect: The layout of the bound set has an immutable sampler with another filter than the pipeline's layout.
// Fix: Both samplers have the same definition, but are two objects.
// EXPECT error binding-invalid vkCmdBindDescriptorSets at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-pDescriptorSets-00358
#include "common/vulkan_objects.h"

static VkSampler MakeSampler(VkFilter filter, VkCompareOp ignored) {
  VkSamplerCreateInfo info = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = filter;
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT;
  info.compareOp = ignored;
  VkSampler made;
  OK(vkCreateSampler(device, &info, nullptr, &made));
  return made;
}

static VkDescriptorSetLayout MakeLayout(const VkSampler& sampler) {
  VkDescriptorSetLayoutBinding binding = {};
  binding.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER;
  binding.descriptorCount = 1;
  binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  binding.pImmutableSamplers = &sampler;
  const VkDescriptorSetLayout made = MakeSetLayout(1, &binding);
  return made;
}

int main() {
  Open();
  VkFilter filter = VK_FILTER_LINEAR;
#ifdef DEFECT
  filter = VK_FILTER_NEAREST;
#endif
  const VkSampler planned = MakeSampler(VK_FILTER_LINEAR, VK_COMPARE_OP_NEVER);
  const VkSampler other = MakeSampler(filter, VK_COMPARE_OP_ALWAYS);
  const VkDescriptorSetLayout layout = MakeLayout(planned), other_layout = MakeLayout(other);
  const VkPipelineLayout pipeline_layout = MakePipelineLayout(layout);
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_SAMPLER, 1};
  const VkDescriptorPool sets = MakeSetPool(1, &size);
  const VkDescriptorSet set = AllocateSet(sets, other_layout);
  Begin();
  // @BIND
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, 0, 1, &set, 0,
                          nullptr);
  Run();
  Close(sets, pipeline_layout, layout, other_layout, planned, other);
}
