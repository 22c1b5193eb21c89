// Defect: Two queue families copy from an exclusive buffer that nothing has written. No content is
// lost that a transfer of ownership would keep, so only the reads are findings.
// Fix: Each family fills the buffer before it copies from it. A family that overwrites a buffer
// needs no transfer.
// EXPECT warning uninitialized-read vkCmdCopyBuffer at COPY
// EXPECT warning uninitialized-read vkCmdCopyBuffer at COPY
#include "common/vulkan_second_queue.h"

static void Record(VkCommandBuffer buffer, const Buffer& source, const Buffer& target) {
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(buffer, &begin));
#ifndef DEFECT
  vkCmdFillBuffer(buffer, source.handle, 0, VK_WHOLE_SIZE, 0);
  VkMemoryBarrier written = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  written.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  written.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  vkCmdPipelineBarrier(buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1,
                       &written, 0, nullptr, 0, nullptr);
#endif
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(buffer, source.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(buffer));
}

static void Submit(VkQueue to, const VkCommandBuffer& buffer) {
  VkSubmitInfo info = SubmitInfo();
  info.pCommandBuffers = &buffer;
  OK(vkQueueSubmit(to, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(to));
}

int main() {
  Wanted wanted;
  wanted.second_family = true;
  Open(wanted);
  const SecondQueue other = OpenSecondQueue();

  const Buffer a = MakeBuffer(4096), b = MakeBuffer(4096), c = MakeBuffer(4096);
  Record(commands, a, b);
  Record(other.commands, a, c);
  Submit(queue, commands);
  Submit(other.queue, other.commands);
  Close(a, b, c, other.pool);
}
