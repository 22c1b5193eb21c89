// Defect: Records a secondary command buffer again between the recording of the primary one that
// executes it and its submission.
// Fix: Records a secondary command buffer again, and after it the primary one that executes it.
// EXPECT error command-buffer-in-use vkQueueSubmit at SUBMIT
// EXPECT-FACT state=invalid
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
#include "common/vulkan_secondary.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096);
  const VkCommandBuffer secondary = MakeSecondary();
  RecordFill(secondary, buffer);
  Begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
#ifdef DEFECT
  OK(vkEndCommandBuffer(commands));
  RecordFill(secondary, buffer);
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
#else
  Run();
  RecordFill(secondary, buffer);
  Begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
  Run();
#endif
  Close(buffer);
}
