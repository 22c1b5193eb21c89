// Defect: A barrier for the second half of a buffer names as many bytes as the buffer has.
// Fix: It names the bytes of the second half.
// EXPECT error copy-out-of-bounds vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-VkBufferMemoryBarrier-size-01189
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer source = MakeStaging(4096), target = MakeBuffer(4096), third = MakeBuffer(4096);
  const VkBufferCopy half = {2048, 2048, 2048};
  VkBufferMemoryBarrier barrier = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.buffer = target.handle;
  barrier.offset = 2048;
  barrier.size = 2048;
#ifdef DEFECT
  barrier.size = 4096;
#endif
  Begin();
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &half);
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 1, &barrier, 0, nullptr);
  vkCmdCopyBuffer(commands, target.handle, third.handle, 1, &half);
  Run();
  Close(source, target, third);
}
