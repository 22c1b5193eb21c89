// A compute pipeline over two buffers, for the programs that dispatch.
#pragma once

#include <vector>

#include "common/vulkan_objects.h"
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
  return MakeSetLayout(count, bindings.data(), flags);
}

// A layout of two bindings, of which the second one has these numbers.
[[maybe_unused]] static VkDescriptorSetLayout MakeTwoBindings(uint32_t number,
                                                              VkDescriptorType type,
                                                              VkShaderStageFlags stages) {
  const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
      {number, type, 1, stages, nullptr}};
  return MakeSetLayout(2, bindings);
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

[[maybe_unused]] static VkPipeline MakeComputePipeline(VkPipelineLayout layout,
                                                       const uint32_t* code, size_t code_bytes,
                                                       VkPipelineCreateFlags flags = 0) {
  const VkShaderModule module = MakeModule(code, code_bytes);
  VkComputePipelineCreateInfo info = ComputeInfo(module, layout);
  info.flags = flags;
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
  compute.pool = MakeSetPool(2, sizes);
  compute.set = AllocateSet(compute.pool, compute.set_layout);
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
