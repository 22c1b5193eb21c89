// Defect: Pipeline layouts have more than the device allows, and one stage in two push constant
// ranges.
// Fix: The layouts stay within the limits, with one range for each stage.
#include "common/vulkan.h"
#include "common/vulkan_sets.h"

// Defect: A push constant range is 4 bytes larger than the device allows.
// Fix: It has the largest size.
// EXPECT error flag-conflict vkCreatePipelineLayout at CREATE
// EXPECT-FACT vuid=VUID-VkPushConstantRange-size-00298
static void PushConstantsPastTheLimit() {
  VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, Limits().maxPushConstantsSize};
#ifdef DEFECT
  range.size += 4;
#endif
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout;
  // @CREATE
  OK(vkCreatePipelineLayout(device, &info, nullptr, &layout));
  Destroy(layout);
}

// Defect: Two push constant ranges of a pipeline layout have the compute stage.
// Fix: One range covers both.
// EXPECT error flag-conflict vkCreatePipelineLayout at CREATE_2
// EXPECT-FACT vuid=VUID-VkPipelineLayoutCreateInfo-pPushConstantRanges-00292
static void TwoPushConstantRangesOfAStage() {
#ifdef DEFECT
  const VkPushConstantRange ranges[] = {{VK_SHADER_STAGE_COMPUTE_BIT, 0, 16},
                                        {VK_SHADER_STAGE_COMPUTE_BIT, 16, 16}};
#else
  const VkPushConstantRange ranges[] = {{VK_SHADER_STAGE_COMPUTE_BIT, 0, 32},
                                        {VK_SHADER_STAGE_VERTEX_BIT, 0, 32}};
#endif
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.pushConstantRangeCount = 2;
  info.pPushConstantRanges = ranges;
  VkPipelineLayout layout;
  // @CREATE_2
  OK(vkCreatePipelineLayout(device, &info, nullptr, &layout));
  Destroy(layout);
}

// Defect: The sets of a pipeline layout have one storage buffer more than a stage may access.
// Fix: The last storage buffer is for another stage.
// EXPECT error flag-conflict vkCreatePipelineLayout at CREATE_3
// EXPECT-FACT vuid=VUID-VkPipelineLayoutCreateInfo-descriptorType-03018
static VkDescriptorSetLayout LayoutOfBuffers(uint32_t count, VkShaderStageFlags stages) {
  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count, stages,
                                                nullptr};
  const VkDescriptorSetLayout layout = MakeSetLayout(1, &binding);
  return layout;
}

static void MoreStorageBuffersThanAStageMayHave() {
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
  // @CREATE_3
  OK(vkCreatePipelineLayout(device, &info, nullptr, &layout));
  vkDestroyPipelineLayout(device, layout, nullptr);
  for (const VkDescriptorSetLayout set : sets) vkDestroyDescriptorSetLayout(device, set, nullptr);
}

int main() {
  Open();
  PushConstantsPastTheLimit();
  TwoPushConstantRangesOfAStage();
  MoreStorageBuffersThanAStageMayHave();
  Close();
}
