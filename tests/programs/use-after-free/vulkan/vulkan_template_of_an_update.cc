// Defect: Updates a descriptor set with a template that is destroyed.
// Fix: The template is destroyed behind the update.
// EXPECT error use-after-free vkUpdateDescriptorSetWithTemplate at UPDATE
// EXPECT-FACT vuid=VUID-vkUpdateDescriptorSetWithTemplate-descriptorUpdateTemplate-parameter
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Compute compute = MakeCompute();
  const Buffer buffer = MakeBuffer(256, kStorage);
  VkDescriptorUpdateTemplateEntry entry = {};
  entry.descriptorCount = 1;
  entry.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  VkDescriptorUpdateTemplateCreateInfo info = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO};
  info.descriptorUpdateEntryCount = 1;
  info.pDescriptorUpdateEntries = &entry;
  info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
  info.descriptorSetLayout = compute.set_layout;
  VkDescriptorUpdateTemplate update;
  OK(vkCreateDescriptorUpdateTemplate(device, &info, nullptr, &update));
  const VkDescriptorBufferInfo data = {buffer.handle, 0, VK_WHOLE_SIZE};
#ifdef DEFECT
  vkDestroyDescriptorUpdateTemplate(device, update, nullptr);
#endif
  // @UPDATE
  vkUpdateDescriptorSetWithTemplate(device, compute.set, update, &data);
#ifndef DEFECT
  vkDestroyDescriptorUpdateTemplate(device, update, nullptr);
#endif
  Close(compute, buffer);
}
