// Defect: A command buffer executes a secondary one twice that was not begun for simultaneous use.
// Fix: The secondary command buffer is begun with VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT.
// EXPECT error command-buffer-in-use vkCmdExecuteCommands at AGAIN
// EXPECT-FACT vuid=VUID-vkCmdExecuteCommands-pCommandBuffers-00092
#include "common/vulkan_secondary.h"

int main() {
  Open();
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
  Close(target);
}
