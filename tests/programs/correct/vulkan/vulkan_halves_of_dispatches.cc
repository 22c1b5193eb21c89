// One dispatch writes the first quarter of a buffer that its descriptor shows as a whole, while
// another one reads the second half, and a transfer fills the second quarter: their bytes are
// apart.
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Compute writer = MakeCompute(), reader = MakeCompute();
  const Buffer input = MakeBuffer(1024, kStorage), all = MakeBuffer(4096, kStorage),
               output = MakeBuffer(2048, kStorage);
  SetBuffers(writer, input.handle, all.handle);
  SetBuffers(reader, all.handle, output.handle);
  const VkDescriptorBufferInfo half = {all.handle, 2048, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write = Write(reader.set, 0, &half);
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Begin();
  vkCmdFillBuffer(commands, input.handle, 0, VK_WHOLE_SIZE, 1);
  vkCmdFillBuffer(commands, all.handle, 0, VK_WHOLE_SIZE, 2);
  Run();
  Begin();
  Bind(writer);
  vkCmdDispatch(commands, 4, 1, 1);
  Bind(reader);
  vkCmdDispatch(commands, 8, 1, 1);
  vkCmdFillBuffer(commands, all.handle, 1024, 1024, 3);
  Run();
  for (const Buffer& buffer : {input, all, output}) Destroy(buffer);
  Close(writer, reader);
}
