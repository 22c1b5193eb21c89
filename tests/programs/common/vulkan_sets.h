// A descriptor set with one binding.
#pragma once

#include "common/vulkan.h"

struct OneSet {
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkDescriptorPool pool;
  VkDescriptorSet set;
};

[[maybe_unused]] static OneSet MakeSet(VkDescriptorType type, uint32_t count = 1,
                                       const VkSampler* immutable = nullptr) {
  OneSet made;
  const VkDescriptorSetLayoutBinding binding = {0, type, count, VK_SHADER_STAGE_COMPUTE_BIT,
                                                immutable};
  VkDescriptorSetLayoutCreateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set_info.bindingCount = 1;
  set_info.pBindings = &binding;
  OK(vkCreateDescriptorSetLayout(device, &set_info, nullptr, &made.set_layout));
  VkPipelineLayoutCreateInfo layout_info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout_info.setLayoutCount = 1;
  layout_info.pSetLayouts = &made.set_layout;
  OK(vkCreatePipelineLayout(device, &layout_info, nullptr, &made.layout));
  const VkDescriptorPoolSize size = {type, count};
  VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool_info.maxSets = 1;
  pool_info.poolSizeCount = 1;
  pool_info.pPoolSizes = &size;
  OK(vkCreateDescriptorPool(device, &pool_info, nullptr, &made.pool));
  VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  allocate.descriptorPool = made.pool;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &made.set_layout;
  OK(vkAllocateDescriptorSets(device, &allocate, &made.set));
  return made;
}

// One descriptor of the binding, for the program to complete.
[[maybe_unused]] static VkWriteDescriptorSet WriteOne(const OneSet& made, VkDescriptorType type) {
  VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = made.set;
  write.descriptorCount = 1;
  write.descriptorType = type;
  return write;
}

[[maybe_unused]] static void Destroy(const OneSet& made) {
  vkDestroyDescriptorPool(device, made.pool, nullptr);
  vkDestroyPipelineLayout(device, made.layout, nullptr);
  vkDestroyDescriptorSetLayout(device, made.set_layout, nullptr);
}

struct SampledImage {
  Image image;
  VkImageView view;
};

[[maybe_unused]] static SampledImage MakeSampledImage() {
  SampledImage made;
  VkImageCreateInfo info = ImageInfo(16, 16);
  info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  made.image = MakeImage(info);
  const VkImageViewCreateInfo view = ViewInfo(made.image.handle);
  OK(vkCreateImageView(device, &view, nullptr, &made.view));
  return made;
}

[[maybe_unused]] static void Destroy(const SampledImage& made) {
  vkDestroyImageView(device, made.view, nullptr);
  Destroy(made.image);
}

[[maybe_unused]] static VkPhysicalDeviceLimits Limits() {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  return properties.limits;
}

[[maybe_unused]] static VkSampler MakeSampler() {
  const VkSamplerCreateInfo info = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  VkSampler sampler;
  OK(vkCreateSampler(device, &info, nullptr, &sampler));
  return sampler;
}
