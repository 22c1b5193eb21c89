// Defect: Copies from a buffer that nothing has written.
// Fix: Copies from a buffer that was filled first.
// EXPECT warning uninitialized-read vkCmdCopyBuffer at COPY
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer a = MakeBuffer(4096), b = MakeBuffer(4096);
  Begin();
#ifndef DEFECT
  vkCmdFillBuffer(commands, a.handle, 0, VK_WHOLE_SIZE, 0);
  VkMemoryBarrier written = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  written.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  written.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &written, 0, nullptr, 0, nullptr);
#endif
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  Run();
  Close(a, b);
}
