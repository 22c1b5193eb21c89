// Defect: Destroys a semaphore that a submission which may still run signals.
// Fix: Waits for the submission that signals a semaphore before it destroys the semaphore.
// EXPECT error free-in-flight vkDestroySemaphore at DESTROY
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkDestroySemaphore-semaphore-05149
// EXIT any
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
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT
  OK(vkQueueWaitIdle(queue));
#endif
  // @DESTROY
  vkDestroySemaphore(device, semaphore, nullptr);
#ifdef DEFECT
  OK(vkQueueWaitIdle(queue));
#endif
  Close();
}
