// Defect pending: Submits a command buffer for simultaneous use again while it may still run, but
// it executes a secondary command buffer that was not begun for simultaneous use.
// EXPECT error command-buffer-in-use vkQueueSubmit at SUBMIT
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00073
// EXIT any
// Defect of_two_primaries: A primary command buffer is submitted after another one was recorded
// that executes the same secondary command buffer.
// EXPECT error command-buffer-in-use vkQueueSubmit at SUBMIT_2
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
// Defect pool_reset: Resets the pool of a secondary command buffer between the recording of the
// primary one that executes it and its submission.
// EXPECT error command-buffer-in-use vkQueueSubmit at SUBMIT_3
// EXPECT-FACT state=invalid
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
// Defect recorded_anew: Records a secondary command buffer again between the recording of the
// primary one that executes it and its submission.
// EXPECT error command-buffer-in-use vkQueueSubmit at SUBMIT_4
// EXPECT-FACT state=invalid
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
// Fix: The secondary command buffer stays as it was recorded until the submission is complete.
#include "common/vulkan_secondary.h"

// Fix: Waits for the earlier submission.
static void Pending() {
  const Buffer buffer = MakeBuffer(4096);
  const VkCommandBuffer secondary = MakeSecondary();
  const VkCommandBufferInheritanceInfo inheritance = {
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.pInheritanceInfo = &inheritance;
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdFillBuffer(secondary, buffer.handle, 0, VK_WHOLE_SIZE, 1);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  vkCmdPipelineBarrier(secondary, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &barrier, 0, nullptr, 0, nullptr);
  OK(vkEndCommandBuffer(secondary));
  const VkCommandBuffer primary =
      MakePrimaryOf(secondary, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &primary;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT_pending
  OK(vkQueueWaitIdle(queue));
#endif
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  vkFreeCommandBuffers(device, pool, 1, &primary);
  Destroy(buffer);
}

// Fix: The secondary command buffer is begun for simultaneous use.
static void Submit(VkCommandBuffer primary) {
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &primary;
  // @SUBMIT_2
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
}

static void OfTwoPrimaries() {
  const Buffer buffer = MakeBuffer(256);
  const VkCommandBuffer secondary = MakeSecondary();
#ifdef DEFECT_of_two_primaries
  RecordFill(secondary, buffer);
#else
  RecordFill(secondary, buffer, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
#endif
  const VkCommandBuffer first = MakePrimaryOf(secondary), second = MakePrimaryOf(secondary);
  Submit(second);
  Submit(first);
  Destroy(buffer);
}

// Fix: Resets the pool after the submission is complete.
static void PoolReset() {
  const Buffer buffer = MakeBuffer(4096);
  VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = family;
  VkCommandPool own;
  OK(vkCreateCommandPool(device, &pool_info, nullptr, &own));
  const VkCommandBuffer secondary = MakeSecondary(own);
  RecordFill(secondary, buffer);
  Begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT_pool_reset
  OK(vkResetCommandPool(device, own, 0));
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT_3
  vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
#ifndef DEFECT_pool_reset
  OK(vkResetCommandPool(device, own, 0));
#endif
  Destroy(own, buffer);
}

// Fix: Records a secondary command buffer again, and after it the primary one that executes it.
static void RecordedAnew() {
  const Buffer buffer = MakeBuffer(4096);
  const VkCommandBuffer secondary = MakeSecondary();
  RecordFill(secondary, buffer);
  Begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
#ifdef DEFECT_recorded_anew
  OK(vkEndCommandBuffer(commands));
  RecordFill(secondary, buffer);
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT_4
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
#else
  Run();
  RecordFill(secondary, buffer);
  Begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
  Run();
#endif
  Destroy(buffer);
}

int main() {
  Open();
  Pending();
  OfTwoPrimaries();
  PoolReset();
  RecordedAnew();
  Close();
}
