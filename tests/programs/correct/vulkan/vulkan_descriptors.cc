// Descriptors are written late, pushed, and written by calls that ignore a part.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_look.h"
#include "shaders/pick.comp.h"

// Descriptors that may be changed while they are bound: they name something else by the time that
// the commands are submitted, and what they named before is gone.
static void DescriptorsChangedLate() {
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

// A descriptor set is written again after each submission is complete, and the command buffer is recorded again after
// each write. A set that another command buffer uses is written between its recordings, too, and a recorded command
// buffer is submitted twice while only the other set changes.
static void Record(const Compute& compute, VkBuffer input) {
  Begin();
  vkCmdFillBuffer(commands, input, 0, VK_WHOLE_SIZE, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
  Bind(compute);
  vkCmdDispatch(commands, 16, 1, 1);
  OK(vkEndCommandBuffer(commands));
}

static void Submit() {
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
}

static void DescriptorsWrittenBetweenSubmissions() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage), b = MakeBuffer(4096, kStorage), c = MakeBuffer(4096, kStorage);
  const Compute first = MakeCompute(), second = MakeCompute();
  for (int frame = 0; frame < 3; ++frame) {
    SetBuffers(first, a.handle, frame % 2 == 0 ? b.handle : c.handle);
    Record(first, a.handle);
    SetBuffers(second, a.handle, frame % 2 == 0 ? c.handle : b.handle);
    Submit();
    SetBuffers(second, b.handle, c.handle);
    Submit();
    Record(second, b.handle);
    Submit();
  }
  Close(second, first, a, b, c);
}

// A descriptor set has an immutable sampler. The write of the set names another sampler, which is ignored, and which the
// program destroys before it uses the set.
static void SamplerThatAWriteIgnores() {
  Open();
  const VkSamplerCreateInfo info = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  VkSampler ignored;
  OK(vkCreateSampler(device, &info, nullptr, &ignored));
  const Look look = MakeLook(true, ignored);
  vkDestroySampler(device, ignored, nullptr);
  Begin();
  Bind(look);
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  vkDestroySampler(device, look.sampler, nullptr);
  vkDestroyImageView(device, look.view, nullptr);
  vkDestroyBufferView(device, look.texels, nullptr);
  DestroyRest(look);
  Close();
}

// Descriptors that are pushed by a template behind others that were pushed one by one: what counts is
// what was pushed last.
static void PushedDescriptors() {
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

int main() {
  DescriptorsChangedLate();
  DescriptorsWrittenBetweenSubmissions();
  SamplerThatAWriteIgnores();
  PushedDescriptors();
}
