// Defect: The viewport is set before vkBeginCommandBuffer.
// Fix: It is set after it.
// EXPECT error command-buffer-in-use vkCmdSetViewport at SET
// EXPECT-FACT vuid=VUID-vkCmdSetViewport-commandBuffer-recording
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const VkViewport viewport = {0, 0, 16, 16, 0, 1};
#ifdef DEFECT
  // @SET
  vkCmdSetViewport(commands, 0, 1, &viewport);
  Begin();
#else
  Begin();
  vkCmdSetViewport(commands, 0, 1, &viewport);
#endif
  Run();
  Close();
}
