// Defect: A command buffer is submitted twice, but it executes a secondary one that may be submitted once.
// Fix: Nothing limits the submissions of the secondary command buffer.
// EXPECT error command-buffer-in-use vkQueueSubmit at SUBMIT
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
#include "common/vulkan_secondary.h"

int main() {
  Open();
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
  Close(buffer);
}
