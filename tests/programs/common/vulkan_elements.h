// A shader that copies from element 1 to element 2 of an array of four buffers.
#pragma once

#include "common/vulkan_compute.h"
#include "shaders/elements.comp.h"

constexpr uint32_t kElements = 4;

[[maybe_unused]] static Compute MakeElements() {
  Compute compute;
  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kElements,
                                                VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  compute.set_layout = MakeSetLayout(1, &binding);
  compute.layout = MakePipelineLayout(compute.set_layout);
  compute.pipeline = MakeComputePipeline(compute.layout, elements_comp, sizeof(elements_comp));
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kElements};
  compute.pool = MakeSetPool(1, &size);
  compute.set = AllocateSet(compute.pool, compute.set_layout);
  return compute;
}

[[maybe_unused]] static void SetElement(const Compute& compute, uint32_t element, VkBuffer buffer) {
  const VkDescriptorBufferInfo info = {buffer, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = Write(compute.set, 0, &info);
  write.dstArrayElement = element;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}
