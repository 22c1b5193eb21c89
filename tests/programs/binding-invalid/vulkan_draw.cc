// Defect without_a_pipeline: No pipeline is bound in the command buffer of a draw.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-08606
// Defect without_its_culling: The pipeline leaves the culling to a command that is not recorded.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-07840
// Defect without_its_depth_test: The pipeline leaves the depth test to a command that is not recorded.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-07843
// Defect without_its_viewport: The draw needs a viewport and a scissor, and only the scissor is set.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-07831
// Fix: The pipeline is bound, and each state is set that it needs. Without a depth bias, that state is not needed. With the
// depth test switched off, the comparison and the depth writes need no command.
// EXIT any
#include "common/vulkan_rendering.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeDynamicRendering(
      {VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_DEPTH_BIAS, VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
       VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
       VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR});
  Begin();
  BeginRendering(rendering, 0);
#ifndef DEFECT_without_a_pipeline
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
#endif
#ifndef DEFECT_without_its_culling
  vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);
#endif
#ifndef DEFECT_without_its_depth_test
  vkCmdSetDepthTestEnable(commands, VK_FALSE);
#endif
#ifndef DEFECT_without_its_viewport
  const VkViewport viewport = {0, 0, kPassSize, kPassSize, 0, 1};
  vkCmdSetViewport(commands, 0, 1, &viewport);
#endif
  const VkRect2D scissor = {{0, 0}, {kPassSize, kPassSize}};
  vkCmdSetScissor(commands, 0, 1, &scissor);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(rendering);
}
