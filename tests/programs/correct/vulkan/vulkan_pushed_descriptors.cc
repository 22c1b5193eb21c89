// Descriptors that are pushed by a template behind others that were pushed one by one: what counts is
// what was pushed last.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"

int main() {
  Open({.extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME}});
  const auto push = reinterpret_cast<PFN_vkCmdPushDescriptorSetKHR>(
      vkGetDeviceProcAddr(device, "vkCmdPushDescriptorSetKHR"));
  const auto push_all = reinterpret_cast<PFN_vkCmdPushDescriptorSetWithTemplateKHR>(
      vkGetDeviceProcAddr(device, "vkCmdPushDescriptorSetWithTemplateKHR"));
  // A pipeline fits any layout that is defined alike: the set is pushed, not allocated.
  Compute compute = MakeCompute();
  const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  const uint32_t numbers[] = {0, 1};
  const VkDescriptorSetLayout set_layout = MakeSetLayout(
      2, types, numbers, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
  const VkPipelineLayout layout = MakePipelineLayout(set_layout);
  const VkPipeline pipeline = MakeComputePipeline(layout, scale_comp, sizeof(scale_comp));
  VkDescriptorUpdateTemplateEntry entries[2] = {};
  for (uint32_t i = 0; i < 2; ++i) {
    entries[i].dstBinding = i;
    entries[i].descriptorCount = 1;
    entries[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    entries[i].offset = i * sizeof(VkDescriptorBufferInfo);
  }
  VkDescriptorUpdateTemplateCreateInfo template_info = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO};
  template_info.descriptorUpdateEntryCount = 2;
  template_info.pDescriptorUpdateEntries = entries;
  template_info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR;
  template_info.pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE;
  template_info.pipelineLayout = layout;
  VkDescriptorUpdateTemplate update;
  OK(vkCreateDescriptorUpdateTemplate(device, &template_info, nullptr, &update));

  const Buffer input = MakeBuffer(4096, kStorage, kHostMemory), first = MakeBuffer(4096, kStorage),
               second = MakeBuffer(4096, kStorage), target = MakeBuffer(4096);
  const VkDescriptorBufferInfo one[] = {{input.handle, 0, VK_WHOLE_SIZE},
                                        {first.handle, 0, VK_WHOLE_SIZE}};
  const VkDescriptorBufferInfo two[] = {{input.handle, 0, VK_WHOLE_SIZE},
                                        {second.handle, 0, VK_WHOLE_SIZE}};
  const VkWriteDescriptorSet writes[] = {Write(VK_NULL_HANDLE, 0, &one[0]),
                                         Write(VK_NULL_HANDLE, 1, &one[1])};
  Begin();
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  push(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 2, writes);
  vkCmdDispatch(commands, 16, 1, 1);
  MemoryBarrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  const VkBufferCopy copy = {0, 0, 4096};
  vkCmdCopyBuffer(commands, first.handle, target.handle, 1, &copy);
  // Writes another buffer while the first one is read.
  push_all(commands, update, layout, 0, two);
  vkCmdDispatch(commands, 16, 1, 1);
  Run();
  vkDestroyDescriptorUpdateTemplate(device, update, nullptr);
  vkDestroyPipeline(device, pipeline, nullptr);
  vkDestroyPipelineLayout(device, layout, nullptr);
  vkDestroyDescriptorSetLayout(device, set_layout, nullptr);
  for (const Buffer& buffer : {input, first, second, target}) Destroy(buffer);
  Close(compute);
}
