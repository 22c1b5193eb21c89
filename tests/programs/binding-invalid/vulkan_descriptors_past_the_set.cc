// Defect: Two descriptors are written from the last array element of a set on.
// Fix: They are written from the element before it on.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-dstArrayElement-00321
// EXIT any
#include "common/vulkan_sets.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4);
  const VkDescriptorBufferInfo range = {buffer.handle, 0, VK_WHOLE_SIZE};
  const VkDescriptorBufferInfo ranges[] = {range, range};
  VkWriteDescriptorSet write = WriteOne(set, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  write.descriptorCount = 2;
  write.pBufferInfo = ranges;
#ifdef DEFECT
  write.dstArrayElement = 3;
#else
  write.dstArrayElement = 2;
#endif
  // @WRITE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Close(set, buffer);
}
