// Defect: A uniform buffer begins at byte 4, which the device does not allow.
// Fix: It begins at a multiple of minUniformBufferOffsetAlignment.
// EXPECT error misaligned vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-00327
#include "common/vulkan_sets.h"

int main() {
  Open();
  const VkDeviceSize alignment = Limits().minUniformBufferOffsetAlignment;
  NEEDS(alignment > 4 && alignment <= 256);
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
#ifdef DEFECT
  const VkDescriptorBufferInfo range = {buffer.handle, 4, 256};
#else
  const VkDescriptorBufferInfo range = {buffer.handle, alignment, 256};
#endif
  VkWriteDescriptorSet write = WriteOne(set, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
  write.pBufferInfo = &range;
  // @WRITE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Close(set, buffer);
}
