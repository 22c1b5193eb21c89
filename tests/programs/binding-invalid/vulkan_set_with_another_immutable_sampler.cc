// Defect: The layout of the bound set has an immutable sampler with another filter than the pipeline's layout.
// Fix: Both samplers have the same definition, but are two objects.
// EXPECT error binding-invalid vkCmdBindDescriptorSets at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-pDescriptorSets-00358
#include "common/vulkan.h"

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
  VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = 1;
  info.pBindings = &binding;
  VkDescriptorSetLayout made;
  OK(vkCreateDescriptorSetLayout(device, &info, nullptr, &made));
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
  VkPipelineLayoutCreateInfo layout_info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout_info.setLayoutCount = 1;
  layout_info.pSetLayouts = &layout;
  VkPipelineLayout pipeline_layout;
  OK(vkCreatePipelineLayout(device, &layout_info, nullptr, &pipeline_layout));
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_SAMPLER, 1};
  VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool_info.maxSets = 1;
  pool_info.poolSizeCount = 1;
  pool_info.pPoolSizes = &size;
  VkDescriptorPool sets;
  OK(vkCreateDescriptorPool(device, &pool_info, nullptr, &sets));
  VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  allocate.descriptorPool = sets;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &other_layout;
  VkDescriptorSet set;
  OK(vkAllocateDescriptorSets(device, &allocate, &set));
  Begin();
  // @BIND
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, 0, 1, &set, 0, nullptr);
  Run();
  vkDestroyDescriptorPool(device, sets, nullptr);
  vkDestroyPipelineLayout(device, pipeline_layout, nullptr);
  vkDestroyDescriptorSetLayout(device, layout, nullptr);
  vkDestroyDescriptorSetLayout(device, other_layout, nullptr);
  vkDestroySampler(device, planned, nullptr);
  vkDestroySampler(device, other, nullptr);
  Close();
}
