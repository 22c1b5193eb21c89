// Defect: vkCmdFillBuffer gets the number of words as its size, and all bytes are copied.
// Fix: vkCmdFillBuffer gets the size in bytes.
// EXPECT warning uninitialized-read vkCmdCopyBuffer at COPY
// EXPECT-FACT written_bytes=1024
#include "common/vulkan_barriers.h"

int main() {
  Open();
  const Buffer sums = MakeBuffer(4096), back = MakeStaging(4096);
#ifdef DEFECT
  const VkDeviceSize size = 4096 / sizeof(uint32_t);
#else
  const VkDeviceSize size = 4096;
#endif
  Begin();
  vkCmdFillBuffer(commands, sums.handle, 0, size, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, sums.handle, back.handle, 1, &all);
  Run();
  Close(back, sums);
}
