// Defect: Binding 1 of a set is written, but its layout has binding 0 only.
// Fix: Binding 0 is written.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-dstBinding-00315
// EXIT any
// MAY leak
#include "common/vulkan_sets.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  const VkDescriptorBufferInfo range = {buffer.handle, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = WriteOne(set, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  write.pBufferInfo = &range;
#ifdef DEFECT
  write.dstBinding = 1;
#endif
  // @WRITE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Close(set, buffer);
}
