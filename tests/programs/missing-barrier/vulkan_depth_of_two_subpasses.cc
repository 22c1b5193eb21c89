// Defect: Two subpasses draw with a depth test and writes to the same attachment, and no dependency
// orders the two: the second test reads what a draw may have written, and its writes come after the
// load.
// Fix: A dependency from late to early tests orders the two.
// EXPECT warning missing-barrier vkCmdDraw at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=RAW
// EXPECT error missing-barrier vkCmdDraw at SECOND
// EXPECT-PARTY earlier-access at LOAD
// EXPECT-FACT hazard=WAR
#include "common/vulkan_depth.h"

int main() {
  Open();
  DepthWanted wanted;
  wanted.subpasses = 2;
#ifndef DEFECT
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = 0;
  dependency.dstSubpass = 1;
  dependency.srcStageMask = VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  dependency.srcAccessMask = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT;
  dependency.dstAccessMask =
      VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  dependency.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
  wanted.dependencies.push_back(dependency);
#endif
  const DepthPass pass = MakeDepthPass(wanted);
  const VkPipelineLayout layout = MakePipelineLayout();
  const VkPipeline first = MakeDepthDraws(pass, 0, layout);
  const VkPipeline second = MakeDepthDraws(pass, 1, layout);
  const VkRenderPassBeginInfo begin = DepthBegin(pass);
  Begin();
  // @LOAD
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, first);
  // @FIRST
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, second);
  // @SECOND
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  Run();
  Close(first, second, layout, pass);
}
