// Defect: A secondary command buffer runs twice, but it was not begun for that.
// Fix: The secondary command buffer is begun for simultaneous use.
#include "common/vulkan_secondary.h"

// Defect: A command buffer executes a secondary one twice that was not begun for simultaneous use.
// Fix: The secondary command buffer is begun with VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT.
// EXPECT error command-buffer-in-use vkCmdExecuteCommands at AGAIN
// EXPECT-FACT vuid=VUID-vkCmdExecuteCommands-pCommandBuffers-00092
static void SecondaryExecutedTwice() {
  const VkCommandBuffer secondary = MakeSecondary();
  const Buffer target = MakeBuffer(4096);
  const VkCommandBufferInheritanceInfo inheritance = {
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.pInheritanceInfo = &inheritance;
  begin.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
#ifdef DEFECT
  begin.flags = 0;
#endif
  OK(vkBeginCommandBuffer(secondary, &begin));
  const VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr,
                                   VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_WRITE_BIT};
  vkCmdFillBuffer(secondary, target.handle, 0, VK_WHOLE_SIZE, 1);
  vkCmdPipelineBarrier(secondary, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &barrier, 0, nullptr, 0, nullptr);
  OK(vkEndCommandBuffer(secondary));
  Begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
  // @AGAIN
  vkCmdExecuteCommands(commands, 1, &secondary);
  Run();
  Destroy(target);
}

// Defect: A secondary command buffer that may be submitted once is executed again after its submission.
// Fix: It is recorded again for each submission.
// EXPECT error command-buffer-in-use vkCmdExecuteCommands at EXECUTE
// EXPECT-FACT vuid=VUID-vkCmdExecuteCommands-pCommandBuffers-00089
static void RecordOnce(VkCommandBuffer secondary, const Buffer& buffer) {
  const VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  begin.pInheritanceInfo = &inheritance;
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdFillBuffer(secondary, buffer.handle, 0, VK_WHOLE_SIZE, 1);
  OK(vkEndCommandBuffer(secondary));
}

static void SecondaryOfOneSubmission() {
  const Buffer buffer = MakeBuffer(256);
  const VkCommandBuffer secondary = MakeSecondary();
  RecordOnce(secondary, buffer);
  // Recorded into two command buffers, one of which is submitted.
  Begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
  OK(vkEndCommandBuffer(commands));
  Begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
  Run();
#ifndef DEFECT
  RecordOnce(secondary, buffer);
#endif
  Begin();
  // @EXECUTE
  vkCmdExecuteCommands(commands, 1, &secondary);
#ifndef DEFECT
  Run();
#else
  OK(vkEndCommandBuffer(commands));
#endif
  Destroy(buffer);
}

// Defect: A command buffer is submitted twice, but it executes a secondary one that may be submitted once.
// Fix: Nothing limits the submissions of the secondary command buffer.
// EXPECT error command-buffer-in-use vkQueueSubmit at SUBMIT
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
static void SecondarySubmittedTwice() {
  const Buffer buffer = MakeBuffer(256);
  const VkCommandBuffer secondary = MakeSecondary();
#ifdef DEFECT
  RecordFill(secondary, buffer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
#else
  RecordFill(secondary, buffer);
#endif
  Begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
  Run();
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Destroy(buffer);
}

int main() {
  Open();
  SecondaryExecutedTwice();
  SecondaryOfOneSubmission();
  SecondarySubmittedTwice();
  Close();
}
