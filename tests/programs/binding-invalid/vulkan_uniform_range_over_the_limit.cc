// Defect: A uniform buffer is written with VK_WHOLE_SIZE, which is more than the device allows.
// Fix: The range is as long as the device allows.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-00332
#include "common/vulkan_sets.h"

int main() {
  Open();
  const uint32_t most = Limits().maxUniformBufferRange;
  NEEDS(most <= 1 << 26);
  const Buffer buffer = MakeBuffer(2 * VkDeviceSize{most}, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
#ifdef DEFECT
  const VkDescriptorBufferInfo range = {buffer.handle, 0, VK_WHOLE_SIZE};
#else
  const VkDescriptorBufferInfo range = {buffer.handle, most, VK_WHOLE_SIZE};
#endif
  VkWriteDescriptorSet write = WriteOne(set, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
  write.pBufferInfo = &range;
  // @WRITE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Close(set, buffer);
}
