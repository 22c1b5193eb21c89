// Defect: Copies the result of a dispatch without a barrier between them.
// Fix: A barrier makes what the dispatch writes visible to the copy.
// EXPECT error missing-barrier vkCmdCopyBuffer at COPY
// EXPECT-PARTY earlier-access at DISPATCH
// EXPECT-FACT earlier_stages=VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT
// EXPECT-FACT later_access=VK_ACCESS_2_TRANSFER_READ_BIT
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage),
               result = MakeStaging(4096, 0);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 16, 1, 1);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  // @COPY
  vkCmdCopyBuffer(commands, b.handle, result.handle, 1, &all);
  Run();
  Close(compute, a, b, result);
}
