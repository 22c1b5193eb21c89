// Defect: Copies two descriptors from element 1 of a binding with two descriptors.
// Fix: Copies one descriptor.
// EXPECT error binding-invalid vkUpdateDescriptorSets at COPY
// EXPECT-FACT vuid=VUID-VkCopyDescriptorSet-srcArrayElement-00346
// EXIT any
#include "common/vulkan_sets.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const OneSet from = MakeSet(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2), to = MakeSet(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3);
  const VkDescriptorBufferInfo infos[2] = {{buffer.handle, 0, VK_WHOLE_SIZE}, {buffer.handle, 0, VK_WHOLE_SIZE}};
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
#ifdef DEFECT
  copy.descriptorCount = 2;
#endif
  // @COPY
  vkUpdateDescriptorSets(device, 0, nullptr, 1, &copy);
  Close(from, to, buffer);
}
