// Defect: What is written by one buffer is read by another one of the same bytes, and nothing
// orders the two.
// Fix: A barrier for all of the memory orders the two.
// EXPECT error missing-barrier vkCmdCopyBuffer at READ
// EXPECT-PARTY earlier-access at WRITE
// EXPECT-FACT hazard=RAW
#include "common/vulkan_alias.h"
#include "common/vulkan_barriers.h"

int main() {
  Open();
  const Buffer whole = MakeBuffer(4096), target = MakeBuffer(1024);
  const VkBuffer second_half = MakeAlias(whole, 2048, 2048);
  // Beside what the other one reads.
  const VkBufferCopy first = {0, 0, 1024};
  Begin();
  vkCmdFillBuffer(commands, whole.handle, 0, 2048, 1);
  // @WRITE
  vkCmdFillBuffer(commands, whole.handle, 2048, 1024, 2);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  // @READ
  vkCmdCopyBuffer(commands, second_half, target.handle, 1, &first);
  Run();
  Close(second_half, whole, target);
}
