// Defect: The sets of a pipeline layout have one storage buffer more than a stage may access.
// Fix: The last storage buffer is for another stage.
// EXPECT error flag-conflict vkCreatePipelineLayout at CREATE
// EXPECT-FACT vuid=VUID-VkPipelineLayoutCreateInfo-descriptorType-03018
#include "common/vulkan_sets.h"

static VkDescriptorSetLayout LayoutOfBuffers(uint32_t count, VkShaderStageFlags stages) {
  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count, stages,
                                                nullptr};
  const VkDescriptorSetLayout layout = MakeSetLayout(1, &binding);
  return layout;
}

int main() {
  Open();
  // Mesa 25 has one limit for a stage and for all stages.
  NEEDS(Limits().maxDescriptorSetStorageBuffers > Limits().maxPerStageDescriptorStorageBuffers);
  VkShaderStageFlags last = VK_SHADER_STAGE_VERTEX_BIT;
#ifdef DEFECT
  last = VK_SHADER_STAGE_COMPUTE_BIT;
#endif
  const VkDescriptorSetLayout sets[] = {
      LayoutOfBuffers(Limits().maxPerStageDescriptorStorageBuffers, VK_SHADER_STAGE_COMPUTE_BIT),
      LayoutOfBuffers(1, last)};
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = 2;
  info.pSetLayouts = sets;
  VkPipelineLayout layout;
  // @CREATE
  OK(vkCreatePipelineLayout(device, &info, nullptr, &layout));
  vkDestroyPipelineLayout(device, layout, nullptr);
  for (const VkDescriptorSetLayout set : sets) vkDestroyDescriptorSetLayout(device, set, nullptr);
  Close();
}
