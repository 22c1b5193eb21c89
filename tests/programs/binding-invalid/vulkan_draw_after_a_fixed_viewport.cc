// Defect: The viewport is set before a pipeline is bound that has a viewport of its own. The value that was set is
// undefined after that, and the next pipeline needs it.
// Fix: The viewport is set after the pipeline with its own one. Another pipeline with dynamic state keeps it.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-07831
// EXIT any
#include "common/vulkan_rendering.h"

static void SetViewport() {
  const VkViewport viewport = {0, 0, kPassSize, kPassSize, 0, 1};
  vkCmdSetViewport(commands, 0, 1, &viewport);
}

int main() {
  OpenForRendering();
  const Rendering fixed = MakeRendering();
  const Rendering scissors = MakeDynamicRendering(
      {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR, VK_DYNAMIC_STATE_LINE_WIDTH});
  const Rendering viewports = MakeDynamicRendering({VK_DYNAMIC_STATE_VIEWPORT});
  Begin();
  BeginRendering(fixed, 0);
#ifdef DEFECT
  SetViewport();
#endif
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, fixed.draws);
  vkCmdDraw(commands, 3, 1, 0, 0);
#ifndef DEFECT
  SetViewport();
#endif
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, scissors.draws);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, viewports.draws);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(viewports, scissors, fixed);
}
