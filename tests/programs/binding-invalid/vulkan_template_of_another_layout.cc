// Defect: The template with which a set is updated has an entry for a binding that the layout of
// the set lacks.
// Fix: The entry names the binding of the layout.
// EXPECT error binding-invalid vkUpdateDescriptorSetWithTemplate at UPDATE
// EXPECT-FACT vuid=VUID-VkDescriptorUpdateTemplateEntry-dstBinding-00354
// EXIT any
#include "common/vulkan_sets.h"

int main() {
  Open();
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const VkDescriptorBufferInfo data = {buffer.handle, 0, VK_WHOLE_SIZE};
  VkDescriptorUpdateTemplateEntry entry = {0, 0,           1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           0, sizeof(data)};
  VkDescriptorUpdateTemplateCreateInfo info = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO};
  info.descriptorUpdateEntryCount = 1;
  info.pDescriptorUpdateEntries = &entry;
  info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
  info.descriptorSetLayout = set.set_layout;
#ifdef DEFECT
  // A layout of another set, which has the binding.
  entry.dstBinding = 1;
  const VkDescriptorSetLayoutBinding binding = {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  info.descriptorSetLayout = MakeSetLayout(1, &binding);
#endif
  VkDescriptorUpdateTemplate update;
  OK(vkCreateDescriptorUpdateTemplate(device, &info, nullptr, &update));
  // @UPDATE
  vkUpdateDescriptorSetWithTemplate(device, set.set, update, &data);
  vkDestroyDescriptorUpdateTemplate(device, update, nullptr);
#ifdef DEFECT
  vkDestroyDescriptorSetLayout(device, info.descriptorSetLayout, nullptr);
#endif
  Close(set, buffer);
}
