// Submits a command buffer again that was begun for any number of submissions.
#include "common/vulkan.h"

int main() {
  Open();
  Begin();
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close();
}
