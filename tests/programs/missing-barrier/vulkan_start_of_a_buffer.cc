// Defect: A dispatch reads the start of a buffer, which was just written, without a barrier. Its
// descriptor shows all of the buffer; the code of the shader says which bytes it reads.
// Fix: A barrier stands between the write and the dispatch.
// EXPECT error missing-barrier vkCmdDispatch at DISPATCH
// EXPECT-PARTY earlier-access at COPY
// EXPECT-FACT hazard=RAW
// EXPECT-FACT byte_range=0 to 1023
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Compute compute = MakeCompute();
  const Buffer source = MakeStaging(1024), input = MakeBuffer(4096, kStorage),
               output = MakeBuffer(4096, kStorage);
  SetBuffers(compute, input.handle, output.handle);
  const VkBufferCopy start = {0, 0, 1024};
  Begin();
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, input.handle, 1, &start);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
#endif
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 4, 1, 1);
  Run();
  for (const Buffer& buffer : {source, input, output}) Destroy(buffer);
  Close(compute);
}
