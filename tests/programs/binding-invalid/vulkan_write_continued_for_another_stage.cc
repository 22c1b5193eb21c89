// Defect: One write of two descriptors begins in a binding for compute shaders and continues in one for vertex shaders.
// Fix: Each binding has a write of its own.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorCount-10776
#include "common/vulkan_objects.h"

int main() {
  Open();
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
#ifdef DEFECT
  writes[0].descriptorCount = 2;
  // @WRITE
  vkUpdateDescriptorSets(device, 1, writes, 0, nullptr);
#else
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
#endif
  Close(sets, layout, buffer);
}
