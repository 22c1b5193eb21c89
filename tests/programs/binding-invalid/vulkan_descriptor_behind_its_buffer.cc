// Defect: A storage buffer is written into a set with the offset at which the buffer ends, and VK_WHOLE_SIZE.
// Fix: The offset is inside of the buffer.
// EXPECT error binding-invalid vkUpdateDescriptorSets at UPDATE
// EXPECT-FACT vuid=VUID-VkDescriptorBufferInfo-offset-00340
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  VkDescriptorBufferInfo info = {buffer.handle, 2048, VK_WHOLE_SIZE};
#ifdef DEFECT
  info.offset = 4096;
#endif
  const VkWriteDescriptorSet write = Write(compute.set, 0, &info);
  // @UPDATE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Close(compute, buffer);
}
