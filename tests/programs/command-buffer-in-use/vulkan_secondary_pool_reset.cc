// Defect: Resets the pool of a secondary command buffer between the recording of the primary one that executes it and
// its submission.
// Fix: Resets the pool after the submission is complete.
// EXPECT error command-buffer-in-use vkQueueSubmit at SUBMIT
// EXPECT-FACT state=invalid
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096);
  VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = family;
  VkCommandPool own;
  OK(vkCreateCommandPool(device, &pool_info, nullptr, &own));
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = own;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
  allocate.commandBufferCount = 1;
  VkCommandBuffer secondary;
  OK(vkAllocateCommandBuffers(device, &allocate, &secondary));
  const VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.pInheritanceInfo = &inheritance;
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdFillBuffer(secondary, buffer.handle, 0, VK_WHOLE_SIZE, 1);
  OK(vkEndCommandBuffer(secondary));
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
  vkDestroyCommandPool(device, own, nullptr);
  Destroy(buffer);
  Close();
}
