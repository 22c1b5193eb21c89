// Defect: A dispatch copies words of a storage buffer that nothing has written.
// Fix: A command fills the buffer before.
// EXPECT warning uninitialized-read vkCmdDispatch at DISPATCH
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "shaders/again.comp.h"

int main() {
  Open();
  const Compute compute = MakeCompute(again_comp, sizeof(again_comp), VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  const Buffer input = MakeBuffer(256, kStorage), output = MakeBuffer(256, kStorage);
  SetBuffers(compute, input.handle, output.handle);
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
