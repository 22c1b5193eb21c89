// A descriptor set with one binding.
#pragma once

#include "common/vulkan_objects.h"

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
  made.set_layout = MakeSetLayout(1, &binding);
  made.layout = MakePipelineLayout(made.set_layout);
  const VkDescriptorPoolSize size = {type, count};
  made.pool = MakeSetPool(1, &size);
  made.set = AllocateSet(made.pool, made.set_layout);
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
  made.view = ViewOf(made.image.handle);
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
