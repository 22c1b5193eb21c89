// Descriptors that may be changed while they are bound: they name something else by the time that
// the commands are submitted, and what they named before is gone.
#include "common/vulkan_compute.h"
#include "shaders/pick.comp.h"

int main() {
  Open();
  // The CPU driver takes such sets without saying so.
  VkPhysicalDeviceDescriptorIndexingFeatures has = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES};
  VkPhysicalDeviceFeatures2 all = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &has};
  vkGetPhysicalDeviceFeatures2(physical, &all);
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  const bool late = has.descriptorBindingStorageBufferUpdateAfterBind != VK_FALSE &&
                    has.descriptorBindingPartiallyBound != VK_FALSE &&
                    has.descriptorBindingUpdateUnusedWhilePending != VK_FALSE;
  NEEDS(late || properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU);
  Close();
  Wanted wanted;
  VkPhysicalDeviceDescriptorIndexingFeatures asked = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES};
  asked.descriptorBindingStorageBufferUpdateAfterBind = asked.descriptorBindingPartiallyBound =
      asked.descriptorBindingUpdateUnusedWhilePending = VK_TRUE;
  if (late) wanted.features = &asked;
  Open(wanted);

  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4,
                                                VK_SHADER_STAGE_COMPUTE_BIT};
  const VkDescriptorBindingFlags flags = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                                         VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT |
                                         VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT;
  VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO};
  flags_info.bindingCount = 1;
  flags_info.pBindingFlags = &flags;
  VkDescriptorSetLayoutCreateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                              &flags_info};
  set_info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
  set_info.bindingCount = 1;
  set_info.pBindings = &binding;
  Compute made = {};
  OK(vkCreateDescriptorSetLayout(device, &set_info, nullptr, &made.set_layout));
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4};
  VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool_info.flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT;
  pool_info.maxSets = 1;
  pool_info.poolSizeCount = 1;
  pool_info.pPoolSizes = &size;
  OK(vkCreateDescriptorPool(device, &pool_info, nullptr, &made.pool));
  made.set = AllocateSet(made.pool, made.set_layout);
  const VkPushConstantRange told = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(uint32_t)};
  VkPipelineLayoutCreateInfo layout_info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout_info.setLayoutCount = 1;
  layout_info.pSetLayouts = &made.set_layout;
  layout_info.pushConstantRangeCount = 1;
  layout_info.pPushConstantRanges = &told;
  OK(vkCreatePipelineLayout(device, &layout_info, nullptr, &made.layout));
  VkShaderModule module = MakeModule(pick_comp, sizeof(pick_comp));
  VkComputePipelineCreateInfo pipeline_info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  pipeline_info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  pipeline_info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  pipeline_info.stage.module = module;
  pipeline_info.stage.pName = "main";
  pipeline_info.layout = made.layout;
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipeline_info, nullptr, &made.pipeline));
  vkDestroyShaderModule(device, module, nullptr);

  const Buffer first = MakeBuffer(256, kStorage), second = MakeBuffer(256, kStorage),
               unused = MakeBuffer(256, kStorage);
  auto set = [&](uint32_t element, const Buffer& buffer) {
    const VkDescriptorBufferInfo info = {buffer.handle, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = Write(made.set, 0, &info);
    write.dstArrayElement = element;
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  };
  set(0, first);
  set(1, unused);
  Begin();
  Bind(made);
  const uint32_t index = 0;
  vkCmdPushConstants(commands, made.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(index), &index);
  vkCmdDispatch(commands, 1, 1, 1);
  OK(vkEndCommandBuffer(commands));
  set(0, second);
  Destroy(first);
  const VkSubmitInfo submit = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
  // One that the shader does not use may be changed, and what it names may go.
  set(2, second);
  Destroy(unused);
  OK(vkQueueWaitIdle(queue));
  Close(made, second);
}
