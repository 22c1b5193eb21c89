// Defect: Two dispatches write the same bytes of a buffer, and nothing orders them. The code of the
// shader and the numbers of workgroups say which bytes these are.
// Fix: The second dispatch writes the bytes behind those of the first. That both descriptors show
// these bytes does not matter.
// EXPECT error missing-barrier vkCmdDispatch at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=WAW
// EXPECT-FACT byte_range=0 to 1023
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Compute first = MakeCompute(), second = MakeCompute();
  const Buffer input = MakeBuffer(2048, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage);
  void* data;
  OK(vkMapMemory(device, input.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 0, 2048);
  vkUnmapMemory(device, input.memory);
  SetBuffers(first, input.handle, output.handle);
  SetBuffers(second, input.handle, output.handle);
#ifndef DEFECT
  const VkDescriptorBufferInfo rest = {output.handle, 1024, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write = Write(second.set, 1, &rest);
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
#endif
  Begin();
  Bind(first);
  // @FIRST
  vkCmdDispatch(commands, 4, 1, 1);
  Bind(second);
  // @SECOND
  vkCmdDispatch(commands, 4, 1, 1);
  Run();
  Close(input, output, first, second);
}
