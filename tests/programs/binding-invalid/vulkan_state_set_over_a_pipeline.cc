// Defect: The width of lines is set after a pipeline is bound that has a width of its own.
// Fix: It is set before. The viewport is dynamic in the pipeline.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-08608
// EXPECT-TEXT vkCmdSetLineWidth
// EXIT any
#include "common/vulkan_rendering.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeDynamicRendering({VK_DYNAMIC_STATE_VIEWPORT});
  Begin();
  BeginRendering(rendering, 0);
#ifndef DEFECT
  vkCmdSetLineWidth(commands, 1);
#endif
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
#ifdef DEFECT
  vkCmdSetLineWidth(commands, 1);
#endif
  const VkViewport viewport = {0, 0, kPassSize, kPassSize, 0, 1};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(rendering);
}
