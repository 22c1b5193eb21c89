// A subpass has depth and stencil in a read-only layout. Its pipelines can write depth, but commands
// switch the write or the test off, or the pipeline discards all primitives.
#include "common/vulkan_depth.h"

int main() {
  Open();
  DepthWanted wanted;
  wanted.layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
  const DepthPass pass = MakeDepthPass(wanted);
  const VkPipelineLayout layout = MakePipelineLayout();
  const VkPipeline tests = MakeDepthDraws(pass, 0, layout, VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE);
  const VkPipeline writes = MakeDepthDraws(pass, 0, layout, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE);
  const VkPipeline discards =
      MakeDepthDraws(pass, 0, layout, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
  Begin();
  const VkImageMemoryBarrier barrier = DepthBarrier(
      pass.image.handle, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
      VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, 0,
      VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT);
  vkCmdPipelineBarrier(
      commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
      VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT, 0, 0,
      nullptr, 0, nullptr, 1, &barrier);
  const VkRenderPassBeginInfo begin = DepthBegin(pass);
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, tests);
  vkCmdSetDepthTestEnable(commands, VK_FALSE);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, writes);
  vkCmdSetDepthWriteEnable(commands, VK_FALSE);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, discards);
  vkCmdSetRasterizerDiscardEnable(commands, VK_TRUE);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  Run();
  for (VkPipeline pipeline : {tests, writes, discards})
    vkDestroyPipeline(device, pipeline, nullptr);
  Close(layout, pass);
}
