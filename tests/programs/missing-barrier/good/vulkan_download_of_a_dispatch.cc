// A barrier makes what the dispatch writes visible to the copy.
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
  vkCmdDispatch(commands, 16, 1, 1);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(commands, b.handle, result.handle, 1, &all);
  Run();
  Destroy(compute);
  Destroy(a);
  Destroy(b);
  Destroy(result);
  Close();
}
