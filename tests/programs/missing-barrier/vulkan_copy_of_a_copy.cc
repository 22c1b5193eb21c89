// Defect: The second copy reads what the first one writes; nothing orders two commands of a queue
// but a barrier.
// Fix: A barrier makes what the first copy writes visible to the second one.
// EXPECT error missing-barrier vkCmdCopyBuffer at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=RAW
// EXPECT-FACT sync_hazard=SYNC-HAZARD-READ-AFTER-WRITE
// EXPECT-TEXT srcStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT
#include "common/vulkan_barriers.h"

int main() {
  Open();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096), c = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  // @FIRST
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  // @SECOND
  vkCmdCopyBuffer(commands, b.handle, c.handle, 1, &all);
  Run();
  Close(a, b, c);
}
