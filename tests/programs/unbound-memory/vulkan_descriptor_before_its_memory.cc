// Defect: A descriptor names a buffer that is bound to memory only after the update.
// Fix: The buffer is bound first.
// EXPECT error unbound-memory vkUpdateDescriptorSets at UPDATE
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-00329
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Compute compute = MakeCompute();
  const Buffer input = MakeBuffer(256, kStorage);
  const VkBufferCreateInfo info = BufferInfo(256, kStorage);
  VkBuffer output;
  OK(vkCreateBuffer(device, &info, nullptr, &output));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, output, &needs);
  const VkDeviceMemory memory = Allocate(needs, 0);
  const VkDescriptorBufferInfo infos[] = {{input.handle, 0, VK_WHOLE_SIZE},
                                          {output, 0, VK_WHOLE_SIZE}};
  const VkWriteDescriptorSet writes[] = {Write(compute.set, 0, &infos[0]),
                                         Write(compute.set, 1, &infos[1])};
#ifndef DEFECT
  OK(vkBindBufferMemory(device, output, memory, 0));
#endif
  // @UPDATE
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
#ifdef DEFECT
  OK(vkBindBufferMemory(device, output, memory, 0));
#endif
  Close(output, memory, input, compute);
}
