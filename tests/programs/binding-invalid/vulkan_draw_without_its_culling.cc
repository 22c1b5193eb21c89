// Defect: The pipeline leaves the culling to a command that is not recorded.
// Fix: The culling is set. Without a depth bias, that state is not needed.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-07840
// EXIT any
#include "common/vulkan_rendering.h"

int main() {
  OpenForRendering();
  const Rendering rendering =
      MakeDynamicRendering({VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_DEPTH_BIAS});
  Begin();
  BeginRendering(rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
#ifndef DEFECT
  vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);
#endif
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(rendering);
}
