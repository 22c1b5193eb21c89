// Defect: A dispatch reads a descriptor that was never written.
// Fix: Both descriptors are written first.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08114
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  const VkDescriptorBufferInfo output = {b.handle, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write = Write(compute.set, 1, &output);
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
#ifndef DEFECT
  const VkDescriptorBufferInfo input = {a.handle, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet other = Write(compute.set, 0, &input);
  vkUpdateDescriptorSets(device, 1, &other, 0, nullptr);
#endif
  Begin();
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 16, 1, 1);
  Run();
  Close(compute, a, b);
}
