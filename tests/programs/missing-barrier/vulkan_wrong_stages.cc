// Defect: A barrier stands between two copies, and waits for the wrong stage.
// Fix: A barrier stands between two copies, and waits for the copy.
// EXPECT error missing-barrier vkCmdCopyBuffer at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-PARTY nearest-barrier at BARRIER
// EXPECT-FACT sync_hazard=SYNC-HAZARD-READ-AFTER-WRITE
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096), c = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  // @FIRST
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
#ifdef DEFECT
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
#else
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &barrier, 0, nullptr, 0, nullptr);
#endif
  // @SECOND
  vkCmdCopyBuffer(commands, b.handle, c.handle, 1, &all);
  Run();
  Close(a, b, c);
}
