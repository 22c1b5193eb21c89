// Defect: The depth that a pass draws is copied out: the pass changes the layout at its end, and
// nothing orders that with the copy.
// Fix: The depth that a pass draws is copied out, after the pass's own dependency.
// EXPECT error missing-barrier vkCmdCopyImageToBuffer at COPY
// EXPECT-PARTY earlier-access at END
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT {srcSubpass = 0, dstSubpass = VK_SUBPASS_EXTERNAL, srcStageMask and srcAccessMask = the stages
#include "common/vulkan_depth.h"

int main() {
  Open();
  DepthWanted wanted;
  wanted.final_layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
#ifndef DEFECT
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = 0;
  dependency.dstSubpass = VK_SUBPASS_EXTERNAL;
  dependency.srcStageMask = VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  dependency.srcAccessMask = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT;
  dependency.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  wanted.dependencies.push_back(dependency);
#endif
  const DepthPass pass = MakeDepthPass(wanted);
  const VkPipelineLayout layout = MakePipelineLayout();
  const VkPipeline draws = MakeDepthDraws(pass, 0, layout);
  const Buffer target = MakeBuffer(kPassSize * kPassSize * 4);
  const VkRenderPassBeginInfo begin = DepthBegin(pass);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draws);
  vkCmdDraw(commands, 3, 1, 0, 0);
  // @END
  vkCmdEndRenderPass(commands);
  VkBufferImageCopy region = {};
  region.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1};
  region.imageExtent = {kPassSize, kPassSize, 1};
  // @COPY
  vkCmdCopyImageToBuffer(commands, pass.image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         target.handle, 1, &region);
  Run();
  Close(draws, layout, target, pass);
}
