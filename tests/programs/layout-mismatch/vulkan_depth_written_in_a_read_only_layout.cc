// Defect: A pipeline that writes depth draws in a subpass with the attachment in a layout that
// allows reads only.
// Fix: The subpass has the attachment in a layout that allows writes.
// EXPECT error layout-mismatch vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-06886
#include "common/vulkan_depth.h"

int main() {
  Open();
  DepthWanted wanted;
#ifdef DEFECT
  wanted.layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
#endif
  const DepthPass pass = MakeDepthPass(wanted);
  const VkPipelineLayout layout = MakePipelineLayout();
  const VkPipeline draws = MakeDepthDraws(pass, 0, layout);
  const VkRenderPassBeginInfo begin = DepthBegin(pass);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draws);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(draws, layout, pass);
}
