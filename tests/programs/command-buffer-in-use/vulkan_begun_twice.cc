// Defect: Begins a command buffer that is being recorded.
// Fix: Begins a command buffer again after its end.
// EXPECT error command-buffer-in-use vkBeginCommandBuffer at SECOND
// EXPECT-FACT vuid=VUID-vkBeginCommandBuffer-commandBuffer-00049
#include "common/vulkan.h"

int main() {
  Open();
  Begin();
#ifndef DEFECT
  OK(vkEndCommandBuffer(commands));
#endif
  VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  // @SECOND
  OK(vkBeginCommandBuffer(commands, &info));
  OK(vkEndCommandBuffer(commands));
  Close();
}
