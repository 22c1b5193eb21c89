// Defect: The depths of a viewport end at 2.
// Fix: They end at 1.
// EXPECT error flag-conflict vkCmdSetViewportWithCount at VIEWPORT
// EXPECT-FACT vuid=VUID-VkViewport-maxDepth-01235
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  Begin();
  VkViewport viewports[2] = {{0, 0, 64, 64, 0, 1}, {0, 0, 64, 64, 0, 1}};
  uint32_t count = 1;
#ifdef DEFECT
  viewports[0].maxDepth = 2;
#endif
  // @VIEWPORT
  vkCmdSetViewportWithCount(commands, count, viewports);
  OK(vkEndCommandBuffer(commands));
  Close();
}
