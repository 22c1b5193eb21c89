// Waits for the submission that signals a semaphore before it destroys the semaphore.
#include "common/vulkan.h"

int main() {
  Open();
  VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &semaphore));
  Begin();
  OK(vkEndCommandBuffer(commands));
  VkSubmitInfo info = SubmitInfo();
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &semaphore;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  vkDestroySemaphore(device, semaphore, nullptr);
  Close();
}
