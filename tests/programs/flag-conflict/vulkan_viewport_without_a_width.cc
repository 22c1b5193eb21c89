// Defect: A viewport has no width, and a scissor begins before the first column.
// Fix: The viewport and the scissor are those of the attachment.
// EXPECT error flag-conflict vkCmdSetViewport at VIEWPORT
// EXPECT-FACT vuid=VUID-VkViewport-width-01770
// EXPECT error flag-conflict vkCmdSetScissor at SCISSOR
// EXPECT-FACT vuid=VUID-vkCmdSetScissor-x-00595
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  Begin();
  VkViewport viewport = {0, 0, 64, 64, 0, 1};
  VkRect2D scissor = {{0, 0}, {64, 64}};
#ifdef DEFECT
  viewport.width = 0;
  scissor.offset.x = -1;
#endif
  // @VIEWPORT
  vkCmdSetViewport(commands, 0, 1, &viewport);
  // @SCISSOR
  vkCmdSetScissor(commands, 0, 1, &scissor);
  OK(vkEndCommandBuffer(commands));
  Close();
}
