// Defect: Frees a secondary command buffer between the recording of the primary one that executes it and its
// submission.
// Fix: Frees the secondary command buffer after the submission is complete.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT
// EXPECT-TEXT command buffer
// EXPECT-PARTY recorded at EXECUTE
// EXPECT-PARTY release at FREE
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
#include "common/vulkan_secondary.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096);
  const VkCommandBuffer secondary = MakeSecondary();
  RecordFill(secondary, buffer);
  Begin();
  // @EXECUTE
  vkCmdExecuteCommands(commands, 1, &secondary);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT
  // @FREE
  vkFreeCommandBuffers(device, pool, 1, &secondary);
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
#ifndef DEFECT
  vkFreeCommandBuffers(device, pool, 1, &secondary);
#endif
  Close(buffer);
}
