// Defect: Stencil is uploaded and then loaded by a render pass that clears depth. The barrier
// between makes what was uploaded visible to writes alone, and the load reads.
// Fix: The barrier makes both aspects visible to reads and writes of the tests.
// EXPECT error missing-barrier vkCmdBeginRenderPass at LOAD
// EXPECT-PARTY earlier-access at BARRIER
// EXPECT-FACT hazard=RAW
#include "common/vulkan_depth.h"

int main() {
  Open();
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
  Close(source, pass);
}
