// The second copy reads what the first one writes; nothing orders two commands of a queue but a
// barrier.
// EXPECT error missing-barrier vkCmdCopyBuffer at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=RAW
// EXPECT-FACT sync_hazard=SYNC-HAZARD-READ-AFTER-WRITE
// EXPECT-TEXT srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096), c = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  // @FIRST
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  // @SECOND
  vkCmdCopyBuffer(commands, b.handle, c.handle, 1, &all);
  Run();
  Destroy(a);
  Destroy(b);
  Destroy(c);
  Close();
}
