// A shader that copies from element 1 to element 2 of an array of four buffers.
#pragma once

#include "common/vulkan_compute.h"
#include "shaders/elements.comp.h"

constexpr uint32_t kElements = 4;

[[maybe_unused]] static Compute MakeElements() {
  Compute compute;
  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kElements,
                                                VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set_info.bindingCount = 1;
  set_info.pBindings = &binding;
  OK(vkCreateDescriptorSetLayout(device, &set_info, nullptr, &compute.set_layout));
  compute.layout = MakePipelineLayout(compute.set_layout);
  compute.pipeline = MakeComputePipeline(compute.layout, elements_comp, sizeof(elements_comp));
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kElements};
  VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool_info.maxSets = 1;
  pool_info.poolSizeCount = 1;
  pool_info.pPoolSizes = &size;
  OK(vkCreateDescriptorPool(device, &pool_info, nullptr, &compute.pool));
  VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  allocate.descriptorPool = compute.pool;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &compute.set_layout;
  OK(vkAllocateDescriptorSets(device, &allocate, &compute.set));
  return compute;
}

[[maybe_unused]] static void SetElement(const Compute& compute, uint32_t element, VkBuffer buffer) {
  const VkDescriptorBufferInfo info = {buffer, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = Write(compute.set, 0, &info);
  write.dstArrayElement = element;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}
