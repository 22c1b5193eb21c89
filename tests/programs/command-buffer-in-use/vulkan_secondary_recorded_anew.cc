// Defect: Records a secondary command buffer again between the recording of the primary one that
// executes it and its submission.
// Fix: Records a secondary command buffer again, and after it the primary one that executes it.
// EXPECT error command-buffer-in-use vkQueueSubmit at SUBMIT
// EXPECT-FACT state=invalid
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
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
#ifdef DEFECT
  OK(vkEndCommandBuffer(commands));
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdFillBuffer(secondary, buffer.handle, 0, VK_WHOLE_SIZE, 2);
  OK(vkEndCommandBuffer(secondary));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
#else
  Run();
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdFillBuffer(secondary, buffer.handle, 0, VK_WHOLE_SIZE, 2);
  OK(vkEndCommandBuffer(secondary));
  Begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
  Run();
#endif
  Close(buffer);
}
