// Defect: A dynamic offset moves a descriptor past the end of its buffer.
// Fix: The range of the descriptor ends inside of the buffer.
#include "common/vulkan_objects.h"
#include "common/vulkan_sets.h"

// Defect: A dynamic descriptor is written with VK_WHOLE_SIZE, and bound with an offset.
// Fix: It is written with the range that one offset selects.
// EXPECT error binding-invalid vkCmdBindDescriptorSets at BIND
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
  // @BIND
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, set.layout, 0, 1, &set.set, 1,
                          &offset);
  Run();
  Destroy(set, buffer);
}

// Defect: A dynamic offset moves the range of a descriptor past the end of its buffer.
// Fix: The offset names the last range that fits.
// EXPECT error binding-invalid vkCmdBindDescriptorSets at BIND_2
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
  // @BIND_2
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, 0, 1, &set, 1,
                          &offset);
  Run();
  Destroy(sets, pipeline_layout, layout, buffer);
}

int main() {
  Open();
  DynamicOffsetOfTheWholeBuffer();
  DynamicOffsetPastTheEnd();
  Close();
}
