// The description of a compute pipeline whose creation is the case.
#pragma once

#include "common/vulkan_compute.h"

[[maybe_unused]] static VkShaderModule MakeModule(const uint32_t* code, size_t code_bytes) {
  VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = code_bytes;
  info.pCode = code;
  VkShaderModule module;
  OK(vkCreateShaderModule(device, &info, nullptr, &module));
  return module;
}

[[maybe_unused]] static VkComputePipelineCreateInfo ComputeInfo(VkShaderModule module,
                                                                VkPipelineLayout layout) {
  VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = layout;
  return info;
}

// A layout of two bindings, of which the second one has these numbers.
[[maybe_unused]] static VkDescriptorSetLayout MakeTwoBindings(uint32_t number,
                                                              VkDescriptorType type,
                                                              VkShaderStageFlags stages) {
  const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
      {number, type, 1, stages, nullptr}};
  VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = 2;
  info.pBindings = bindings;
  VkDescriptorSetLayout layout;
  OK(vkCreateDescriptorSetLayout(device, &info, nullptr, &layout));
  return layout;
}

[[maybe_unused]] static void Destroy(VkPipeline pipeline, VkShaderModule module,
                                     VkPipelineLayout layout, VkDescriptorSetLayout set_layout) {
  vkDestroyPipeline(device, pipeline, nullptr);
  vkDestroyShaderModule(device, module, nullptr);
  vkDestroyPipelineLayout(device, layout, nullptr);
  vkDestroyDescriptorSetLayout(device, set_layout, nullptr);
}
