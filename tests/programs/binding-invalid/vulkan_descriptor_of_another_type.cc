// Defect: A descriptor is written as a storage buffer, but its layout has a uniform buffer.
// Fix: It is written as a uniform buffer.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-00319
// EXIT any
#include "common/vulkan_sets.h"

int main() {
  Open();
  const Buffer buffer =
      MakeBuffer(4096, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
  const VkDescriptorBufferInfo range = {buffer.handle, 0, VK_WHOLE_SIZE};
#ifdef DEFECT
  VkWriteDescriptorSet write = WriteOne(set, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
#else
  VkWriteDescriptorSet write = WriteOne(set, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
#endif
  write.pBufferInfo = &range;
  // @WRITE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Close(set, buffer);
}
