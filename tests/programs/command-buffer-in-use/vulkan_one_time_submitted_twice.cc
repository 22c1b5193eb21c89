// Defect: Submits a command buffer again that was begun for one submission.
// Fix: Submits a command buffer again that was begun for any number of submissions.
// EXPECT error command-buffer-in-use vkQueueSubmit at SECOND
// EXPECT-FACT state=invalid
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
#ifdef DEFECT
  Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
#else
  Begin();
#endif
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  // @SECOND
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close();
}
