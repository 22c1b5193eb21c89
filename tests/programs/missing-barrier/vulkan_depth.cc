// Defect: Depth or stencil is used behind a write, without a barrier or dependency for the access.
// Fix: A barrier or dependency names the accesses to depth and stencil.
#include "common/vulkan_depth.h"

// Defect: The depth that a pass draws is copied out: the pass changes the layout at its end, and
// nothing orders that with the copy.
// Fix: The depth that a pass draws is copied out, after the pass's own dependency.
// EXPECT error missing-barrier vkCmdCopyImageToBuffer at COPY
// EXPECT-PARTY earlier-access at END
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT {srcSubpass = 0, dstSubpass = VK_SUBPASS_EXTERNAL, srcStageMask and srcAccessMask = the stages
static void DepthCopiedOut() {
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
  Destroy(draws, layout, target, pass);
}

// Defect: The second subpass tests depth once the command buffer has enabled the test, and the
// dependency makes what the first one draws visible to writes alone.
// Fix: The second subpass draws with a depth test that the command buffer has left disabled: it
// does not read what the first one draws, which the dependency makes visible to writes alone.
// EXPECT warning missing-barrier vkCmdDraw at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=RAW
static void DepthTestByCommand() {
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
  Destroy(first, second, layout, pass);
}

// Defect: Stencil is uploaded and then loaded by a render pass that clears depth. The barrier
// between makes what was uploaded visible to writes alone, and the load reads.
// Fix: The barrier makes both aspects visible to reads and writes of the tests.
// EXPECT error missing-barrier vkCmdBeginRenderPass at LOAD
// EXPECT-PARTY earlier-access at BARRIER
// EXPECT-FACT hazard=RAW
static void StencilLoad() {
  DepthWanted wanted;
  wanted.load = VK_ATTACHMENT_LOAD_OP_CLEAR;
  const DepthPass pass = MakeDepthPass(wanted);
  const Buffer source = MakeStaging(kPassSize * kPassSize);
  const VkRenderPassBeginInfo begin = DepthBegin(pass);
  Begin();
  VkImageMemoryBarrier barrier =
      DepthBarrier(pass.image.handle, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
  VkBufferImageCopy region = {};
  region.imageSubresource = {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1};
  region.imageExtent = {kPassSize, kPassSize, 1};
  vkCmdCopyBufferToImage(commands, source.handle, pass.image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
#ifdef DEFECT
  barrier =
      DepthBarrier(pass.image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                   VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, VK_ACCESS_TRANSFER_WRITE_BIT,
                   VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT);
#else
  barrier = DepthBarrier(
      pass.image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
      VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, VK_ACCESS_TRANSFER_WRITE_BIT,
      VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT);
#endif
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  // @LOAD
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Run();
  Destroy(source, pass);
}

int main() {
  Open();
  DepthCopiedOut();
  DepthTestByCommand();
  StencilLoad();
  Close();
}
