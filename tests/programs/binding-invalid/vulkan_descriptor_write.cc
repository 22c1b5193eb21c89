// Defect of_a_binding_that_the_layout_lacks: Binding 1 of a set is written, but its layout has
// binding 0 only.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-dstBinding-00315
// EXIT any
// MAY leak
// Defect behind_its_buffer: A storage buffer is written into a set with the offset at which the
// buffer ends, and VK_WHOLE_SIZE.
// EXPECT error binding-invalid vkUpdateDescriptorSets at UPDATE
// EXPECT-FACT vuid=VUID-VkDescriptorBufferInfo-offset-00340
// EXIT any
// Defect of_another_type: A descriptor is written as a storage buffer, but its layout has a uniform
// buffer.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE_2
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-00319
// EXIT any
// Defect past_the_set: Two descriptors are written from the last array element of a set on.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE_3
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-dstArrayElement-00321
// EXIT any
// Defect continued_for_another_stage: One write of two descriptors begins in a binding for compute
// shaders and continues in one for vertex shaders.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE_4
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorCount-10776
// Defect copied_past_the_last_descriptor: Copies two descriptors from element 1 of a binding with
// two descriptors.
// EXPECT error binding-invalid vkUpdateDescriptorSets at COPY
// EXPECT-FACT vuid=VUID-VkCopyDescriptorSet-srcArrayElement-00346
// EXIT any
// Defect over_the_limit: A uniform buffer is written with VK_WHOLE_SIZE, which is more than the
// device allows.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE_5
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-00332
// Defect by_a_template_of_another_layout: The template with which a set is updated has an entry for
// a binding that the layout of the set lacks.
// EXPECT error binding-invalid vkUpdateDescriptorSetWithTemplate at UPDATE_2
// EXPECT-FACT vuid=VUID-VkDescriptorUpdateTemplateEntry-dstBinding-00354
// EXIT any
// Fix: The write of the descriptor fits the layout of the set.
#include "common/vulkan_compute.h"
#include "common/vulkan_objects.h"
#include "common/vulkan_sets.h"

// Fix: Binding 0 is written.
static void OfABindingThatTheLayoutLacks() {
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  const VkDescriptorBufferInfo range = {buffer.handle, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = WriteOne(set, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  write.pBufferInfo = &range;
#ifdef DEFECT_of_a_binding_that_the_layout_lacks
  write.dstBinding = 1;
#endif
  // @WRITE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Destroy(set, buffer);
}

// Fix: The offset is inside of the buffer.
static void BehindItsBuffer() {
  const Buffer buffer = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  VkDescriptorBufferInfo info = {buffer.handle, 2048, VK_WHOLE_SIZE};
#ifdef DEFECT_behind_its_buffer
  info.offset = 4096;
#endif
  const VkWriteDescriptorSet write = Write(compute.set, 0, &info);
  // @UPDATE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Destroy(compute, buffer);
}

// Fix: It is written as a uniform buffer.
static void OfAnotherType() {
  const Buffer buffer =
      MakeBuffer(4096, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
  const VkDescriptorBufferInfo range = {buffer.handle, 0, VK_WHOLE_SIZE};
#ifdef DEFECT_of_another_type
  VkWriteDescriptorSet write = WriteOne(set, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
#else
  VkWriteDescriptorSet write = WriteOne(set, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
#endif
  write.pBufferInfo = &range;
  // @WRITE_2
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Destroy(set, buffer);
}

// Fix: They are written from the element before it on.
static void PastTheSet() {
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4);
  const VkDescriptorBufferInfo range = {buffer.handle, 0, VK_WHOLE_SIZE};
  const VkDescriptorBufferInfo ranges[] = {range, range};
  VkWriteDescriptorSet write = WriteOne(set, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  write.descriptorCount = 2;
  write.pBufferInfo = ranges;
#ifdef DEFECT_past_the_set
  write.dstArrayElement = 3;
#else
  write.dstArrayElement = 2;
#endif
  // @WRITE_3
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Destroy(set, buffer);
}

// Fix: Each binding has a write of its own.
static void ContinuedForAnotherStage() {
  constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  const VkDescriptorSetLayoutBinding bindings[] = {
      {0, kType, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
      {1, kType, 1, VK_SHADER_STAGE_VERTEX_BIT, nullptr}};
  const VkDescriptorSetLayout layout = MakeSetLayout(2, bindings);
  const VkDescriptorPoolSize size = {kType, 2};
  const VkDescriptorPool sets = MakeSetPool(1, &size);
  const VkDescriptorSet set = AllocateSet(sets, layout);
  const Buffer buffer = MakeBuffer(1024, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const VkDescriptorBufferInfo infos[] = {{buffer.handle, 0, 256}, {buffer.handle, 512, 256}};
  VkWriteDescriptorSet writes[2] = {{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET},
                                    {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET}};
  for (uint32_t i = 0; i < 2; ++i) {
    writes[i].dstSet = set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = kType;
    writes[i].pBufferInfo = &infos[i];
  }
#ifdef DEFECT_continued_for_another_stage
  writes[0].descriptorCount = 2;
  // @WRITE_4
  vkUpdateDescriptorSets(device, 1, writes, 0, nullptr);
#else
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
#endif
  Destroy(sets, layout, buffer);
}

// Fix: Copies one descriptor.
static void CopiedPastTheLastDescriptor() {
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const OneSet from = MakeSet(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2),
               to = MakeSet(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3);
  const VkDescriptorBufferInfo infos[2] = {{buffer.handle, 0, VK_WHOLE_SIZE},
                                           {buffer.handle, 0, VK_WHOLE_SIZE}};
  VkWriteDescriptorSet write = WriteOne(from, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  write.descriptorCount = 2;
  write.pBufferInfo = infos;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  VkCopyDescriptorSet copy = {VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET};
  copy.srcSet = from.set;
  copy.srcArrayElement = 1;
  copy.dstSet = to.set;
  copy.dstArrayElement = 1;
  copy.descriptorCount = 1;
#ifdef DEFECT_copied_past_the_last_descriptor
  copy.descriptorCount = 2;
#endif
  // @COPY
  vkUpdateDescriptorSets(device, 0, nullptr, 1, &copy);
  Destroy(from, to, buffer);
}

// Fix: The range is as long as the device allows.
static void OverTheLimit() {
  const uint32_t most = Limits().maxUniformBufferRange;
  NEEDS(most <= 1 << 26);
  const Buffer buffer = MakeBuffer(2 * VkDeviceSize{most}, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
#ifdef DEFECT_over_the_limit
  const VkDescriptorBufferInfo range = {buffer.handle, 0, VK_WHOLE_SIZE};
#else
  const VkDescriptorBufferInfo range = {buffer.handle, most, VK_WHOLE_SIZE};
#endif
  VkWriteDescriptorSet write = WriteOne(set, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
  write.pBufferInfo = &range;
  // @WRITE_5
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Destroy(set, buffer);
}

// Fix: The entry names the binding of the layout.
static void ByATemplateOfAnotherLayout() {
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
#ifdef DEFECT_by_a_template_of_another_layout
  // A layout of another set, which has the binding.
  entry.dstBinding = 1;
  const VkDescriptorSetLayoutBinding binding = {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  info.descriptorSetLayout = MakeSetLayout(1, &binding);
#endif
  VkDescriptorUpdateTemplate update;
  OK(vkCreateDescriptorUpdateTemplate(device, &info, nullptr, &update));
  // @UPDATE_2
  vkUpdateDescriptorSetWithTemplate(device, set.set, update, &data);
  vkDestroyDescriptorUpdateTemplate(device, update, nullptr);
#ifdef DEFECT_by_a_template_of_another_layout
  vkDestroyDescriptorSetLayout(device, info.descriptorSetLayout, nullptr);
#endif
  Destroy(set, buffer);
}

int main() {
  Open();
  OfABindingThatTheLayoutLacks();
  BehindItsBuffer();
  OfAnotherType();
  PastTheSet();
  ContinuedForAnotherStage();
  CopiedPastTheLastDescriptor();
  OverTheLimit();
  ByATemplateOfAnotherLayout();
  Close();
}
