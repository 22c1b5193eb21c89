// Defect never_written: A dispatch reads a descriptor that was never written.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08114
// Defect written_behind_its_dispatch: A descriptor is first written after the dispatch that uses it was recorded, and before the
// recording ends.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08114
// Fix: Both descriptors are written before the dispatch is recorded.
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  const VkDescriptorBufferInfo output = {b.handle, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write = Write(compute.set, 1, &output);
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  const VkDescriptorBufferInfo input = {a.handle, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet other = Write(compute.set, 0, &input);
#ifndef DEFECT
  vkUpdateDescriptorSets(device, 1, &other, 0, nullptr);
#endif
  Begin();
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 16, 1, 1);
#ifdef DEFECT_never_written
  Run();
#elif defined(DEFECT_written_behind_its_dispatch)
  vkUpdateDescriptorSets(device, 1, &other, 0, nullptr);
  OK(vkEndCommandBuffer(commands));
#else
  Run();
#endif
  Close(compute, a, b);
}
