// Defect: A shader that changes one word for each invocation is dispatched over more words than the
// range of its descriptor has, although the buffer has them.
// Fix: The descriptor shows as many words as there are invocations.
// EXPECT error kernel-argument-out-of-bounds vkCmdDispatch at PAST
// EXPECT-FACT binding=0
// EXPECT-FACT descriptor_bytes=1024
// EXPECT-FACT outside_bytes=1024
// EXPECT-FACT vuid=VUID-vkCmdDispatch-storageBuffers-06936
#include "common/vulkan_compute.h"
#include "shaders/part.comp.h"
#include "shaders/some.comp.h"

int main() {
  Open();
  const Compute part = MakeCompute(part_comp, sizeof(part_comp)), scale = MakeCompute(),
                some = MakeCompute(some_comp, sizeof(some_comp));
  const Buffer words = MakeBuffer(4096, kStorage), few = MakeBuffer(512, kStorage);
#ifdef DEFECT
  const VkDeviceSize bytes = 1024;
#else
  const VkDeviceSize bytes = 2048;
#endif
  const VkDescriptorBufferInfo info = {words.handle, 1024, bytes};
  const VkWriteDescriptorSet write = Write(part.set, 0, &info);
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  SetBuffers(scale, few.handle, words.handle);
  SetBuffers(some, words.handle, few.handle);
  Begin();
  vkCmdFillBuffer(commands, words.handle, 0, VK_WHOLE_SIZE, 0);
  vkCmdFillBuffer(commands, few.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Bind(part);
  // @PAST
  vkCmdDispatch(commands, 8, 1, 1);
  Run();
  // The shader compares its index with the length of the shorter array.
  Begin();
  Bind(scale);
  vkCmdDispatch(commands, 4, 1, 1);
  Run();
  // What the words are decides whether the shader writes. All are zero.
  Begin();
  vkCmdFillBuffer(commands, words.handle, 512, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Bind(some);
  vkCmdDispatch(commands, 16, 1, 1);
  Run();
  for (const Buffer& buffer : {words, few}) Destroy(buffer);
  for (const Compute& compute : {part, scale, some}) Destroy(compute);
  Close();
}
