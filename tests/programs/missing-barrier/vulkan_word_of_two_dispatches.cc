// Defect: Two dispatches write the same word of a buffer, and nothing orders them.
// Fix: A barrier orders the second dispatch behind the first.
// EXPECT warning missing-barrier vkCmdDispatch at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=WAW
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "shaders/mark.comp.h"

int main() {
  Open();
  const Compute compute = MakeCompute(mark_comp, sizeof(mark_comp));
  const Buffer input = MakeBuffer(256, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage);
  void* data;
  OK(vkMapMemory(device, input.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 0, 256);
  vkUnmapMemory(device, input.memory);
  SetBuffers(compute, input.handle, output.handle);
  Begin();
  Bind(compute);
  // @FIRST
  vkCmdDispatch(commands, 1, 1, 1);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
#endif
  // @SECOND
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  Close(input, output, compute);
}
