// Defect: Commands set a second viewport and scissor without the feature multiViewport.
// Fix: They set one.
// EXPECT error usage-missing vkCmdSetViewport at VIEWPORT
// EXPECT-FACT vuid=VUID-vkCmdSetViewport-viewportCount-01225
// EXPECT error usage-missing vkCmdSetScissor at SCISSOR
// EXPECT-FACT vuid=VUID-vkCmdSetScissor-firstScissor-00593
#include "common/vulkan_features.h"

int main() {
  OpenWithFeatures({});
  const VkViewport viewports[2] = {{0, 0, 16, 16, 0, 1}, {0, 0, 8, 8, 0, 1}};
  const VkRect2D scissor = {{0, 0}, {16, 16}};
  uint32_t count = 1, index = 0;
#ifdef DEFECT
  count = 2;
  index = 1;
#endif
  Begin();
  // @VIEWPORT
  vkCmdSetViewport(commands, 0, count, viewports);
  // @SCISSOR
  vkCmdSetScissor(commands, index, 1, &scissor);
  OK(vkEndCommandBuffer(commands));
  Close();
}
