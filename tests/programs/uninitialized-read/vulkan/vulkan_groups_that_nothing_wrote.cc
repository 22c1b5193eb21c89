// Defect: A dispatch reads its number of groups from a buffer that nothing has written.
// Fix: A command writes the number.
// EXPECT warning uninitialized-read vkCmdDispatchIndirect at DISPATCH
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Compute compute = MakeCompute();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Buffer groups = MakeBuffer(1 << 20, kCopies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  SetBuffers(compute, a.handle, b.handle);
  Begin();
#ifndef DEFECT
  vkCmdFillBuffer(commands, groups.handle, 0, sizeof(VkDispatchIndirectCommand), 0);
#endif
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
  Bind(compute);
  // @DISPATCH
  vkCmdDispatchIndirect(commands, groups.handle, 0);
  Run();
  Destroy(compute);
  for (const Buffer& buffer : {a, b, groups}) Destroy(buffer);
  Close();
}
