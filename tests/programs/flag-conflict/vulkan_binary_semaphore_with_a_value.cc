// Defect: Creates a binary semaphore with an initial value.
// Fix: The initial value is 0.
// EXPECT error flag-conflict vkCreateSemaphore at CREATE
// EXPECT-FACT vuid=VUID-VkSemaphoreTypeCreateInfo-semaphoreType-03279
#include "common/vulkan.h"

int main() {
  Open();
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_BINARY;
#ifdef DEFECT
  type.initialValue = 1;
#endif
  const VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  VkSemaphore semaphore;
  // @CREATE
  OK(vkCreateSemaphore(device, &info, nullptr, &semaphore));
  Close(semaphore);
}
