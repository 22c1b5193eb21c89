// Defect: Creates a descriptor set layout with a structure of binding flags that has no array.
// Fix: Passes the flags of each binding.
// EXPECT error invalid-pointer vkCreateDescriptorSetLayout at CREATE
// EXPECT-FACT vuid=VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-pBindingFlags-parameter
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkDescriptorSetLayoutBinding binding = {};
  binding.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  binding.descriptorCount = 1;
  binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  const VkDescriptorBindingFlags none = 0;
  VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO};
  flags.bindingCount = 1;
  flags.pBindingFlags = &none;
#ifdef DEFECT
  flags.pBindingFlags = nullptr;
#endif
  VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.pNext = &flags;
  info.bindingCount = 1;
  info.pBindings = &binding;
  VkDescriptorSetLayout layout;
  // @CREATE
  OK(vkCreateDescriptorSetLayout(device, &info, nullptr, &layout));
  Close(layout);
}
