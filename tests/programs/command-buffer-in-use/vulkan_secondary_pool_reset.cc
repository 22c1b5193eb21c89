// Defect: Resets the pool of a secondary command buffer between the recording of the primary one that executes it and
// its submission.
// Fix: Resets the pool after the submission is complete.
// EXPECT error command-buffer-in-use vkQueueSubmit at SUBMIT
// EXPECT-FACT state=invalid
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
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
#ifdef DEFECT
  OK(vkResetCommandPool(device, own, 0));
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
#ifndef DEFECT
  OK(vkResetCommandPool(device, own, 0));
#endif
  Close(own, buffer);
}
