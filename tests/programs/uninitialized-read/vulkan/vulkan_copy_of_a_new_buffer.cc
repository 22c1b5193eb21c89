// Defect: Copies read buffers of which all or three quarters were never written.
// Fix: The buffers are filled first.
#include "common/vulkan_barriers.h"

// Defect: Copies from a buffer that nothing has written.
// Fix: Copies from a buffer that was filled first.
// EXPECT warning uninitialized-read vkCmdCopyBuffer at COPY
static void CopyOfANewBuffer() {
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
  Destroy(a, b);
}

// Defect: vkCmdFillBuffer gets the number of words as its size, and all bytes are copied.
// Fix: vkCmdFillBuffer gets the size in bytes.
// EXPECT warning uninitialized-read vkCmdCopyBuffer at COPY_2
// EXPECT-FACT written_bytes=1024
static void FillCountsElements() {
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
  // @COPY_2
  vkCmdCopyBuffer(commands, sums.handle, back.handle, 1, &all);
  Run();
  Destroy(back, sums);
}

int main() {
  Open();
  CopyOfANewBuffer();
  FillCountsElements();
  Close();
}
