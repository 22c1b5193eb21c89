// Objects that most Vulkan programs create in the same way.
#pragma once

#include "common/vulkan.h"

[[maybe_unused]] static VkShaderModule MakeModule(const uint32_t* code, size_t code_bytes) {
  VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = code_bytes;
  info.pCode = code;
  VkShaderModule module;
  OK(vkCreateShaderModule(device, &info, nullptr, &module));
  return module;
}

[[maybe_unused]] static VkImageView ViewOf(VkImage image,
                                           VkFormat format = VK_FORMAT_R8G8B8A8_UNORM,
                                           const VkImageSubresourceRange& range = kWhole) {
  const VkImageViewCreateInfo info = ViewInfo(image, format, range);
  VkImageView view;
  OK(vkCreateImageView(device, &info, nullptr, &view));
  return view;
}

[[maybe_unused]] static VkSampler MakeSampler() {
  const VkSamplerCreateInfo info = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  VkSampler sampler;
  OK(vkCreateSampler(device, &info, nullptr, &sampler));
  return sampler;
}

[[maybe_unused]] static VkDescriptorSetLayout MakeSetLayout(
    uint32_t count, const VkDescriptorSetLayoutBinding* bindings,
    VkDescriptorSetLayoutCreateFlags flags = 0) {
  VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.flags = flags;
  info.bindingCount = count;
  info.pBindings = bindings;
  VkDescriptorSetLayout layout;
  OK(vkCreateDescriptorSetLayout(device, &info, nullptr, &layout));
  return layout;
}

// Of one set, or of none. `pushed`: bytes of push constants of compute shaders.
[[maybe_unused]] static VkPipelineLayout MakePipelineLayout(
    VkDescriptorSetLayout set_layout = VK_NULL_HANDLE, uint32_t pushed = 0) {
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = set_layout != VK_NULL_HANDLE ? 1 : 0;
  info.pSetLayouts = &set_layout;
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, pushed};
  info.pushConstantRangeCount = pushed != 0 ? 1 : 0;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout;
  OK(vkCreatePipelineLayout(device, &info, nullptr, &layout));
  return layout;
}

// A pool for one set.
[[maybe_unused]] static VkDescriptorPool MakeSetPool(uint32_t count,
                                                     const VkDescriptorPoolSize* sizes) {
  VkDescriptorPoolCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  info.maxSets = 1;
  info.poolSizeCount = count;
  info.pPoolSizes = sizes;
  VkDescriptorPool made;
  OK(vkCreateDescriptorPool(device, &info, nullptr, &made));
  return made;
}

[[maybe_unused]] static VkDescriptorSet AllocateSet(VkDescriptorPool from,
                                                    VkDescriptorSetLayout layout) {
  VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = from;
  info.descriptorSetCount = 1;
  info.pSetLayouts = &layout;
  VkDescriptorSet set;
  OK(vkAllocateDescriptorSets(device, &info, &set));
  return set;
}

// Clamps to the edge, without filters and LODs.
[[maybe_unused]] static VkSamplerCreateInfo PlainSampler() {
  VkSamplerCreateInfo info = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  return info;
}

// Opens the device with the feature samplerAnisotropy, if `enabled`.
[[maybe_unused]] static void OpenForAnisotropy(VkBool32 enabled) {
  VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  features.features.samplerAnisotropy = enabled;
  Open({.features = &features});
  VkPhysicalDeviceFeatures has;
  vkGetPhysicalDeviceFeatures(physical, &has);
  NEEDS(has.samplerAnisotropy);
}

// The host may reset queries, and signal timeline semaphores.
[[maybe_unused]] static void OpenWithHostReset() {
  VkPhysicalDeviceVulkan12Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  features.hostQueryReset = features.timelineSemaphore = VK_TRUE;
  Open({.features = &features});
}

[[maybe_unused]] static VkQueryPool MakeQueries(VkQueryType type, uint32_t count) {
  VkQueryPoolCreateInfo info = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = type;
  info.queryCount = count;
  VkQueryPool queries;
  OK(vkCreateQueryPool(device, &info, nullptr, &queries));
  return queries;
}
