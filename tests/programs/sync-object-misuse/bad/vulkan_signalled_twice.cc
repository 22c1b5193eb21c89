// Signals a binary semaphore a second time before anything has waited for the first signal.
// EXPECT error sync-object-misuse vkQueueSubmit at SECOND
// EXPECT-PARTY earlier-signal at FIRST
#include "common/vulkan.h"

int main() {
  Open();
  VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &semaphore));
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &semaphore;
  // @FIRST
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  // @SECOND
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  vkDestroySemaphore(device, semaphore, nullptr);
  Close();
}
