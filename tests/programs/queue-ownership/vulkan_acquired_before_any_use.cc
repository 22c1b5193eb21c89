// Defect: A queue family acquires a new buffer from another family, which has not released it.
// Fix: The other family releases the buffer first.
// EXPECT error queue-ownership vkQueueSubmit at SUBMIT
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pSubmits-02207
#include "common/vulkan_second_queue.h"

static SecondQueue other;

// Records the barrier for the other family, and waits until that family has run it.
[[maybe_unused]] static void RunOnOther(const VkBufferMemoryBarrier& barrier) {
  other = OpenSecondQueue();
  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(other.commands, &begin));
  vkCmdPipelineBarrier(other.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 1, &barrier, 0, nullptr);
  OK(vkEndCommandBuffer(other.commands));
  VkSubmitInfo submit = SubmitInfo();
  submit.pCommandBuffers = &other.commands;
  OK(vkQueueSubmit(other.queue, 1, &submit, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(other.queue));
}

int main() {
  Open({.second_family = true});
  const Buffer buffer = MakeBuffer(4096);
  VkBufferMemoryBarrier transfer = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  transfer.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  transfer.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  transfer.srcQueueFamilyIndex = SecondFamily();
  transfer.dstQueueFamilyIndex = family;
  transfer.buffer = buffer.handle;
  transfer.size = VK_WHOLE_SIZE;
#ifndef DEFECT
  RunOnOther(transfer);
#endif
  Begin();
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 1, &transfer, 0, nullptr);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  if (other.pool != VK_NULL_HANDLE) vkDestroyCommandPool(device, other.pool, nullptr);
  Close(buffer);
}
