// Dispatches that write the first word of their range, without order in between: to different
// ranges of one buffer, and two with parameters in a buffer, of which only one has groups.
#include "common/vulkan_compute.h"
#include "shaders/mark.comp.h"

static void SetRange(const Compute& compute, const Buffer& input, const Buffer& output,
                     VkDeviceSize offset) {
  const VkDescriptorBufferInfo infos[] = {{input.handle, 0, 64}, {output.handle, offset, 256}};
  const VkWriteDescriptorSet writes[] = {Write(compute.set, 0, &infos[0]),
                                         Write(compute.set, 1, &infos[1])};
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
}

int main() {
  Open();
  const Compute one = MakeCompute(mark_comp, sizeof(mark_comp)),
                other = MakeCompute(mark_comp, sizeof(mark_comp));
  const Buffer input = MakeBuffer(256, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage),
               sizes = MakeBuffer(256, kStorage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, kHostMemory);
  void* data;
  OK(vkMapMemory(device, input.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 0, 256);
  vkUnmapMemory(device, input.memory);
  OK(vkMapMemory(device, sizes.memory, 0, VK_WHOLE_SIZE, 0, &data));
  const uint32_t groups[] = {1, 1, 1, 0, 0, 0};
  memcpy(data, groups, sizeof(groups));
  vkUnmapMemory(device, sizes.memory);
  // The ranges differ.
  SetRange(one, input, output, 0);
  SetRange(other, input, output, 256);
  Begin();
  Bind(one);
  vkCmdDispatch(commands, 1, 1, 1);
  Bind(other);
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  // Only one of the dispatches runs.
  SetRange(other, input, output, 0);
  Begin();
  Bind(one);
  vkCmdDispatchIndirect(commands, sizes.handle, 0);
  Bind(other);
  vkCmdDispatchIndirect(commands, sizes.handle, 12);
  Run();
  Close(input, output, sizes, one, other);
}
