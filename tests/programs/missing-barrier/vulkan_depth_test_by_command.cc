// Defect: The second subpass tests depth once the command buffer has enabled the test, and the
// dependency makes what the first one draws visible to writes alone.
// Fix: The second subpass draws with a depth test that the command buffer has left disabled: it
// does not read what the first one draws, which the dependency makes visible to writes alone.
// EXPECT warning missing-barrier vkCmdDraw at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=RAW
#include "common/vulkan_depth.h"

int main() {
  Open();
  DepthWanted wanted;
  wanted.subpasses = 2;
  // Between the stores of the pass and what the first subpass wrote; tests are not in it.
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = 0;
  dependency.dstSubpass = 1;
  dependency.srcStageMask = dependency.dstStageMask = VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  dependency.srcAccessMask = dependency.dstAccessMask =
      VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  wanted.dependencies.push_back(dependency);
  const DepthPass pass = MakeDepthPass(wanted);
  const VkPipelineLayout layout = MakePipelineLayout();
  const VkPipeline first = MakeDepthDraws(pass, 0, layout);
  const VkPipeline second = MakeDepthDraws(pass, 1, layout, VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE);
  const VkRenderPassBeginInfo begin = DepthBegin(pass);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, first);
  // @FIRST
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, second);
#ifdef DEFECT
  vkCmdSetDepthTestEnable(commands, VK_TRUE);
#else
  vkCmdSetDepthTestEnable(commands, VK_FALSE);
#endif
  // @SECOND
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  Run();
  Close(first, second, layout, pass);
}
