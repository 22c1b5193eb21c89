// Defect: A primary command buffer is submitted after another one was recorded that executes the same secondary command buffer.
// Fix: The secondary command buffer is begun for simultaneous use.
// EXPECT error command-buffer-in-use vkQueueSubmit at SUBMIT
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
#include "common/vulkan_secondary.h"

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
#ifdef DEFECT
  RecordFill(secondary, buffer);
#else
  RecordFill(secondary, buffer, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
#endif
  const VkCommandBuffer first = MakePrimaryOf(secondary), second = MakePrimaryOf(secondary);
  Submit(second);
  Submit(first);
  Close(buffer);
}
