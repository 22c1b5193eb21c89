// Defect: A primary command buffer is submitted after another one was recorded that executes the same secondary command buffer.
// Fix: The secondary command buffer is begun for simultaneous use.
// EXPECT error command-buffer-in-use vkQueueSubmit at SUBMIT
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
#include "common/vulkan_secondary.h"

static VkCommandBuffer RecordPrimary(VkCommandBuffer secondary) {
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer made;
  OK(vkAllocateCommandBuffers(device, &allocate, &made));
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(made, &begin));
  vkCmdExecuteCommands(made, 1, &secondary);
  OK(vkEndCommandBuffer(made));
  return made;
}

static void Submit(VkCommandBuffer primary) {
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &primary;
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
}

int main() {
  Open();
  const Buffer buffer = MakeBuffer(256);
  const VkCommandBuffer secondary = MakeSecondary();
  const VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
#ifndef DEFECT
  begin.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
#endif
  begin.pInheritanceInfo = &inheritance;
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdFillBuffer(secondary, buffer.handle, 0, VK_WHOLE_SIZE, 1);
  OK(vkEndCommandBuffer(secondary));
  const VkCommandBuffer first = RecordPrimary(secondary), second = RecordPrimary(secondary);
  Submit(second);
  Submit(first);
  Close(buffer);
}
