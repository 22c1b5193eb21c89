// Defect: A dispatch copies words of a uniform buffer that nothing has written.
// Fix: A command fills the buffer before.
// EXPECT warning uninitialized-read vkCmdDispatch at DISPATCH
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "shaders/spread.comp.h"

int main() {
  Open();
  const Compute compute = MakeCompute(spread_comp, sizeof(spread_comp), VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
  const Buffer input = MakeBuffer(256, kCopies | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT), output = MakeBuffer(256, kStorage);
  const VkDescriptorBufferInfo infos[] = {{input.handle, 0, VK_WHOLE_SIZE}, {output.handle, 0, VK_WHOLE_SIZE}};
  VkWriteDescriptorSet writes[] = {Write(compute.set, 0, &infos[0]), Write(compute.set, 1, &infos[1])};
  writes[0].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
  Begin();
#ifndef DEFECT
  vkCmdFillBuffer(commands, input.handle, 0, VK_WHOLE_SIZE, 7);
#endif
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_UNIFORM_READ_BIT);
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  Close(compute, input, output);
}
