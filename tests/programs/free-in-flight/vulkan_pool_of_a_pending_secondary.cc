// Defect: Destroys the command pool of a secondary command buffer while a submission that executes it may run.
// Fix: Waits for the submission before it destroys the pool.
// EXPECT error free-in-flight vkDestroyCommandPool at POOL
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkDestroyCommandPool-commandPool-00041
// EXIT any
#include "common/vulkan_secondary.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096);
  VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = family;
  VkCommandPool own;
  OK(vkCreateCommandPool(device, &pool_info, nullptr, &own));
  const VkCommandBuffer secondary = MakeSecondary(own);
  RecordFill(secondary, buffer);
  Begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT
  OK(vkQueueWaitIdle(queue));
#endif
  // @POOL
  vkDestroyCommandPool(device, own, nullptr);
#ifdef DEFECT
  vkQueueWaitIdle(queue);
#endif
  Close(buffer);
}
