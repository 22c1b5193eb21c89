// Defect: The draw needs a viewport and a scissor, and only the scissor is set.
// Fix: Both are set before the draw.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-07831
// EXIT any
#include "common/vulkan_rendering.h"

int main() {
  OpenForRendering();
  const Rendering rendering =
      MakeDynamicRendering({VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR});
  Begin();
  BeginRendering(rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  const VkRect2D scissor = {{0, 0}, {kPassSize, kPassSize}};
  vkCmdSetScissor(commands, 0, 1, &scissor);
#ifndef DEFECT
  const VkViewport viewport = {0, 0, kPassSize, kPassSize, 0, 1};
  vkCmdSetViewport(commands, 0, 1, &viewport);
#endif
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(rendering);
}
