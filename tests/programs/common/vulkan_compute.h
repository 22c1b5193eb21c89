// A compute pipeline over two buffers, for the programs that dispatch.
#pragma once

#include <vector>

#include "common/vulkan.h"
#include "shaders/scale.comp.h"

struct Compute {
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkPipeline pipeline;
  VkDescriptorPool pool;
  VkDescriptorSet set;
};

// A layout with `count` bindings of one buffer each, for shaders of computations.
[[maybe_unused]] static VkDescriptorSetLayout MakeSetLayout(
    uint32_t count, const VkDescriptorType* types, const uint32_t* numbers,
    VkDescriptorSetLayoutCreateFlags flags = 0) {
  std::vector<VkDescriptorSetLayoutBinding> bindings(count);
  for (uint32_t i = 0; i < count; ++i)
    bindings[i] = {numbers[i], types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.flags = flags;
  info.bindingCount = count;
  info.pBindings = bindings.data();
  VkDescriptorSetLayout layout;
  OK(vkCreateDescriptorSetLayout(device, &info, nullptr, &layout));
  return layout;
}

// `pushed`: bytes of push constants.
[[maybe_unused]] static VkPipelineLayout MakePipelineLayout(VkDescriptorSetLayout set_layout,
                                                            uint32_t pushed = 0) {
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = 1;
  info.pSetLayouts = &set_layout;
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, pushed};
  info.pushConstantRangeCount = pushed != 0 ? 1 : 0;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout;
  OK(vkCreatePipelineLayout(device, &info, nullptr, &layout));
  return layout;
}

[[maybe_unused]] static VkPipeline MakeComputePipeline(VkPipelineLayout layout,
                                                       const uint32_t* code, size_t code_bytes) {
  VkShaderModuleCreateInfo module_info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  module_info.codeSize = code_bytes;
  module_info.pCode = code;
  VkShaderModule module;
  OK(vkCreateShaderModule(device, &module_info, nullptr, &module));
  VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = layout;
  VkPipeline pipeline;
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  vkDestroyShaderModule(device, module, nullptr);
  return pipeline;
}

// `input`: the type of binding 0. `pushed`: bytes of push constants.
[[maybe_unused]] static Compute MakeCompute(
    const uint32_t* code = scale_comp, size_t code_bytes = sizeof(scale_comp),
    VkDescriptorType input = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, uint32_t pushed = 0) {
  Compute compute;
  const VkDescriptorType types[] = {input, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  const uint32_t numbers[] = {0, 1};
  compute.set_layout = MakeSetLayout(2, types, numbers);
  compute.layout = MakePipelineLayout(compute.set_layout, pushed);
  compute.pipeline = MakeComputePipeline(compute.layout, code, code_bytes);
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}, {input, 1}};
  VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool_info.maxSets = 1;
  pool_info.poolSizeCount = 2;
  pool_info.pPoolSizes = sizes;
  OK(vkCreateDescriptorPool(device, &pool_info, nullptr, &compute.pool));
  VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  allocate.descriptorPool = compute.pool;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &compute.set_layout;
  OK(vkAllocateDescriptorSets(device, &allocate, &compute.set));
  return compute;
}

[[maybe_unused]] static void Destroy(const Compute& compute) {
  vkDestroyDescriptorPool(device, compute.pool, nullptr);
  vkDestroyPipeline(device, compute.pipeline, nullptr);
  vkDestroyPipelineLayout(device, compute.layout, nullptr);
  vkDestroyDescriptorSetLayout(device, compute.set_layout, nullptr);
}

// One storage buffer of the set.
[[maybe_unused]] static VkWriteDescriptorSet Write(VkDescriptorSet set, uint32_t binding,
                                                   const VkDescriptorBufferInfo* buffer) {
  VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set;
  write.dstBinding = binding;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = buffer;
  return write;
}

[[maybe_unused]] static void SetBuffers(const Compute& compute, VkBuffer input, VkBuffer output) {
  const VkDescriptorBufferInfo infos[] = {{input, 0, VK_WHOLE_SIZE}, {output, 0, VK_WHOLE_SIZE}};
  const VkWriteDescriptorSet writes[] = {Write(compute.set, 0, &infos[0]),
                                         Write(compute.set, 1, &infos[1])};
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
}

[[maybe_unused]] static void Bind(const Compute& compute) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.layout, 0, 1,
                          &compute.set, 0, nullptr);
}

constexpr VkBufferUsageFlags kStorage = kCopies | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
