// A layout with one storage buffer for push descriptors.
#pragma once

#include "common/vulkan_objects.h"

[[maybe_unused]] static PFN_vkCmdPushDescriptorSetKHR push_set;
[[maybe_unused]] static PFN_vkCmdPushDescriptorSetWithTemplateKHR push_template;

[[maybe_unused]] static void OpenForPushes() {
  Open({.extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME}});
  push_set = reinterpret_cast<PFN_vkCmdPushDescriptorSetKHR>(
      vkGetDeviceProcAddr(device, "vkCmdPushDescriptorSetKHR"));
  push_template = reinterpret_cast<PFN_vkCmdPushDescriptorSetWithTemplateKHR>(
      vkGetDeviceProcAddr(device, "vkCmdPushDescriptorSetWithTemplateKHR"));
  NEEDS(push_set != nullptr && push_template != nullptr);
}

struct PushLayout {
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
};

[[maybe_unused]] static PushLayout MakePushLayout(
    VkDescriptorSetLayoutCreateFlags flags =
        VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR) {
  PushLayout made;
  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  made.set_layout = MakeSetLayout(1, &binding, flags);
  made.layout = MakePipelineLayout(made.set_layout);
  return made;
}

[[maybe_unused]] static void Destroy(const PushLayout& layout) {
  vkDestroyPipelineLayout(device, layout.layout, nullptr);
  vkDestroyDescriptorSetLayout(device, layout.set_layout, nullptr);
}
