// Defect of_a_binding: Binds a descriptor set with a pipeline layout that is destroyed.
// EXPECT error use-after-free vkCmdBindDescriptorSets at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-layout-parameter
// EXIT any
// Defect of_a_new_set: Allocates a descriptor set with a layout that is destroyed.
// EXPECT error use-after-free vkAllocateDescriptorSets at ALLOCATE
// EXPECT-FACT vuid=VUID-VkDescriptorSetAllocateInfo-pSetLayouts-parameter
// EXIT any
// Defect of_an_updated_set: A descriptor set layout is destroyed, and a set that was allocated with
// it is updated.
// EXPECT error use-after-free vkUpdateDescriptorSets at UPDATE
// EXPECT-PARTY release at DESTROY
// EXIT any
// Defect template: Updates a descriptor set with a template that is destroyed.
// EXPECT error use-after-free vkUpdateDescriptorSetWithTemplate at UPDATE_2
// EXPECT-FACT vuid=VUID-vkUpdateDescriptorSetWithTemplate-descriptorUpdateTemplate-parameter
// EXIT any
// Fix: The layout is destroyed behind the last use.
#include "common/vulkan_compute.h"

// Fix: The layout is destroyed behind the binding.
static void OfABinding() {
  const Compute compute = MakeCompute();
  const VkPipelineLayout layout = MakePipelineLayout(compute.set_layout);
  Begin();
#ifdef DEFECT_of_a_binding
  vkDestroyPipelineLayout(device, layout, nullptr);
#endif
  // @BIND
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &compute.set, 0,
                          nullptr);
#ifndef DEFECT_of_a_binding
  vkDestroyPipelineLayout(device, layout, nullptr);
#endif
  OK(vkEndCommandBuffer(commands));
  Destroy(compute);
}

// Fix: The layout is destroyed behind the allocation.
static void OfANewSet() {
  const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const uint32_t number = 0;
  const VkDescriptorSetLayout layout = MakeSetLayout(1, &type, &number);
  const VkDescriptorPoolSize size = {type, 1};
  const VkDescriptorPool pool = MakeSetPool(1, &size);
  VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = pool;
  info.descriptorSetCount = 1;
  info.pSetLayouts = &layout;
#ifdef DEFECT_of_a_new_set
  vkDestroyDescriptorSetLayout(device, layout, nullptr);
#endif
  VkDescriptorSet set;
  // @ALLOCATE
  OK(vkAllocateDescriptorSets(device, &info, &set));
#ifndef DEFECT_of_a_new_set
  vkDestroyDescriptorSetLayout(device, layout, nullptr);
#endif
  Destroy(pool);
}

// Fix: The layout is destroyed after the last update of its sets.
static void OfAnUpdatedSet() {
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
#ifdef DEFECT_of_an_updated_set
  // @DESTROY
  vkDestroyDescriptorSetLayout(device, compute.set_layout, nullptr);
#endif
  const VkDescriptorBufferInfo buffers[] = {{a.handle, 0, VK_WHOLE_SIZE},
                                            {b.handle, 0, VK_WHOLE_SIZE}};
  const VkWriteDescriptorSet writes[] = {Write(compute.set, 0, &buffers[0]),
                                         Write(compute.set, 1, &buffers[1])};
  // @UPDATE
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
  vkDestroyDescriptorPool(device, compute.pool, nullptr);
  vkDestroyPipeline(device, compute.pipeline, nullptr);
  vkDestroyPipelineLayout(device, compute.layout, nullptr);
#ifndef DEFECT_of_an_updated_set
  vkDestroyDescriptorSetLayout(device, compute.set_layout, nullptr);
#endif
  Destroy(a, b);
}

// Fix: The template is destroyed behind the update.
static void Template() {
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
#ifdef DEFECT_template
  vkDestroyDescriptorUpdateTemplate(device, update, nullptr);
#endif
  // @UPDATE_2
  vkUpdateDescriptorSetWithTemplate(device, compute.set, update, &data);
#ifndef DEFECT_template
  vkDestroyDescriptorUpdateTemplate(device, update, nullptr);
#endif
  Destroy(compute, buffer);
}

int main() {
  Open();
  OfABinding();
  OfANewSet();
  OfAnUpdatedSet();
  Template();
  Close();
}
