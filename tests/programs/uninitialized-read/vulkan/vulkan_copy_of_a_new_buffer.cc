// Defect: Copies from a buffer that nothing has written.
// Fix: Copies from a buffer that was filled first.
// EXPECT warning uninitialized-read vkCmdCopyBuffer at COPY
#include "common/vulkan_barriers.h"

int main() {
  Open();
  const Buffer a = MakeBuffer(4096), b = MakeBuffer(4096);
  Begin();
#ifndef DEFECT
  vkCmdFillBuffer(commands, a.handle, 0, VK_WHOLE_SIZE, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  Run();
  Close(a, b);
}
