// Defect: A secondary command buffer that may be submitted once is executed again after its submission.
// Fix: It is recorded again for each submission.
// EXPECT error command-buffer-in-use vkCmdExecuteCommands at EXECUTE
// EXPECT-FACT vuid=VUID-vkCmdExecuteCommands-pCommandBuffers-00089
#include "common/vulkan_secondary.h"

static void RecordOnce(VkCommandBuffer secondary, const Buffer& buffer) {
  const VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  begin.pInheritanceInfo = &inheritance;
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdFillBuffer(secondary, buffer.handle, 0, VK_WHOLE_SIZE, 1);
  OK(vkEndCommandBuffer(secondary));
}

int main() {
  Open();
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
  Close(buffer);
}
