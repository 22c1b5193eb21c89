// Defect: A dynamic descriptor is written with VK_WHOLE_SIZE, and bound with an offset.
// Fix: It is written with the range that one offset selects.
// EXPECT error binding-invalid vkCmdBindDescriptorSets at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-pDescriptorSets-06715
#include "common/vulkan_sets.h"

int main() {
  Open();
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
  Close(set, buffer);
}
