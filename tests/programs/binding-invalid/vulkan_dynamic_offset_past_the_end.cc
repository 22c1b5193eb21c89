// Defect: A dynamic offset moves the range of a descriptor past the end of its buffer.
// Fix: The offset names the last range that fits.
// EXPECT error binding-invalid vkCmdBindDescriptorSets at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-pDescriptorSets-01979
#include "common/vulkan_objects.h"

int main() {
  Open();
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
  // @BIND
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, 0, 1, &set, 1,
                          &offset);
  Run();
  Close(sets, pipeline_layout, layout, buffer);
}
