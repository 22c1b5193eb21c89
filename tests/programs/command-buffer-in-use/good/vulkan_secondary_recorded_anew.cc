// Records a secondary command buffer anew, and behind it the primary one that executes it.
#include "common/vulkan.h"
#include "common/vulkan_secondary.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096);
  const VkCommandBuffer secondary = MakeSecondary();
  const VkCommandBufferInheritanceInfo inheritance = {
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.pInheritanceInfo = &inheritance;
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdFillBuffer(secondary, buffer.handle, 0, VK_WHOLE_SIZE, 1);
  OK(vkEndCommandBuffer(secondary));
  Begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
  Run();
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdFillBuffer(secondary, buffer.handle, 0, VK_WHOLE_SIZE, 2);
  OK(vkEndCommandBuffer(secondary));
  Begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
  Run();
  Destroy(buffer);
  Close();
}
