// Defect: A descriptor set is bound with a pipeline layout that does not fit it, or with a dynamic
// offset past the end of its buffer.
// Fix: The layout and the offset fit the set.
#include "common/vulkan_compute.h"
#include "common/vulkan_objects.h"
#include "common/vulkan_sets.h"

// Defect: Binds a descriptor set with a pipeline layout whose set number 0 has one binding more.
// Fix: Binds the set with the pipeline layout that names the layout of the set.
// EXPECT error binding-invalid vkCmdBindDescriptorSets at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-pDescriptorSets-00358
// EXPECT-TEXT has another set layout there
static void SetBoundWithAnotherLayout() {
  Open();
  const Compute compute = MakeCompute();
  VkDescriptorSetLayoutBinding bindings[3] = {};
  for (uint32_t i = 0; i < 3; ++i)
    bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set_info.bindingCount = 2;
#ifdef DEFECT
  set_info.bindingCount = 3;
#endif
  set_info.pBindings = bindings;
  VkDescriptorSetLayout layout;
  OK(vkCreateDescriptorSetLayout(device, &set_info, nullptr, &layout));
  const VkPipelineLayout pipeline_layout = MakePipelineLayout(layout);
  Begin();
  // @BIND
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, 0, 1,
                          &compute.set, 0, nullptr);
  Run();
  Close(pipeline_layout, layout, compute);
}

// Defect: The set is bound with a pipeline layout that has a push constant range, which the layout
// of the pipeline lacks. Fix: The other layout has one set more instead: both are compatible for
// set number 0.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08600
// EXPECT-TEXT is not compatible
static void SetBoundWithOtherPushConstants() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  const VkDescriptorSetLayout sets[] = {compute.set_layout, compute.set_layout};
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.pSetLayouts = sets;
#ifdef DEFECT
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
  info.setLayoutCount = 1;
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
#else
  info.setLayoutCount = 2;
#endif
  VkPipelineLayout layout;
  OK(vkCreatePipelineLayout(device, &info, nullptr, &layout));
  Begin();
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &compute.set, 0,
                          nullptr);
  // @DISPATCH
  vkCmdDispatch(commands, 16, 1, 1);
  Run();
  Close(layout, compute, a, b);
}

// Defect: The layout of the bound set has an immutable sampler with another filter than the
// pipeline's layout. Fix: Both samplers have the same definition, but are two objects.
// EXPECT error binding-invalid vkCmdBindDescriptorSets at BIND_2
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-pDescriptorSets-00358
static VkSampler MakeSampler(VkFilter filter, VkCompareOp ignored) {
  VkSamplerCreateInfo info = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = filter;
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT;
  info.compareOp = ignored;
  VkSampler made;
  OK(vkCreateSampler(device, &info, nullptr, &made));
  return made;
}

static VkDescriptorSetLayout MakeLayout(const VkSampler& sampler) {
  VkDescriptorSetLayoutBinding binding = {};
  binding.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER;
  binding.descriptorCount = 1;
  binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  binding.pImmutableSamplers = &sampler;
  const VkDescriptorSetLayout made = MakeSetLayout(1, &binding);
  return made;
}

static void SetWithAnotherImmutableSampler() {
  Open();
  VkFilter filter = VK_FILTER_LINEAR;
#ifdef DEFECT
  filter = VK_FILTER_NEAREST;
#endif
  const VkSampler planned = MakeSampler(VK_FILTER_LINEAR, VK_COMPARE_OP_NEVER);
  const VkSampler other = MakeSampler(filter, VK_COMPARE_OP_ALWAYS);
  const VkDescriptorSetLayout layout = MakeLayout(planned), other_layout = MakeLayout(other);
  const VkPipelineLayout pipeline_layout = MakePipelineLayout(layout);
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_SAMPLER, 1};
  const VkDescriptorPool sets = MakeSetPool(1, &size);
  const VkDescriptorSet set = AllocateSet(sets, other_layout);
  Begin();
  // @BIND_2
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, 0, 1, &set, 0,
                          nullptr);
  Run();
  Close(sets, pipeline_layout, layout, other_layout, planned, other);
}

// Defect: A dynamic descriptor is written with VK_WHOLE_SIZE, and bound with an offset.
// Fix: It is written with the range that one offset selects.
// EXPECT error binding-invalid vkCmdBindDescriptorSets at BIND_3
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-pDescriptorSets-06715
static void DynamicOffsetOfTheWholeBuffer() {
  constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const OneSet set = MakeSet(kType);
  VkDescriptorBufferInfo range = {buffer.handle, 0, 1024};
#ifdef DEFECT
  range.range = VK_WHOLE_SIZE;
#endif
  VkWriteDescriptorSet write = WriteOne(set, kType);
  write.pBufferInfo = &range;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  const uint32_t offset = 1024;
  Begin();
  // @BIND_3
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, set.layout, 0, 1, &set.set, 1,
                          &offset);
  Run();
  Destroy(set, buffer);
}

// Defect: A dynamic offset moves the range of a descriptor past the end of its buffer.
// Fix: The offset names the last range that fits.
// EXPECT error binding-invalid vkCmdBindDescriptorSets at BIND_4
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-pDescriptorSets-01979
static void DynamicOffsetPastTheEnd() {
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1,
                                                VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  const VkDescriptorSetLayout layout = MakeSetLayout(1, &binding);
  const VkPipelineLayout pipeline_layout = MakePipelineLayout(layout);
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1};
  const VkDescriptorPool sets = MakeSetPool(1, &size);
  const VkDescriptorSet set = AllocateSet(sets, layout);
  const VkDescriptorBufferInfo range = {buffer.handle, 0, 1024};
  VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
  write.pBufferInfo = &range;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
#ifdef DEFECT
  const uint32_t offset = 4096;
#else
  const uint32_t offset = 3072;
#endif
  Begin();
  // @BIND_4
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, 0, 1, &set, 1,
                          &offset);
  Run();
  Destroy(sets, pipeline_layout, layout, buffer);
}

int main() {
  SetBoundWithAnotherLayout();
  SetBoundWithOtherPushConstants();
  SetWithAnotherImmutableSampler();
  Open();
  DynamicOffsetOfTheWholeBuffer();
  DynamicOffsetPastTheEnd();
  Close();
}
