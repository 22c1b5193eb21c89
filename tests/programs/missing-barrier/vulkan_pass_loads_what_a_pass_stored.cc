// Defect: The second render pass loads what the first one stored. They come after each other in one
// command buffer, and nothing orders them: a render pass has no dependency on what is before it but
// those that it is made with.
// Fix: The second render pass is made with a dependency on what is before it, whose second scope
// has its load.
// EXPECT error missing-barrier vkCmdBeginRenderPass at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT add a dependency on earlier commands to the render pass: {srcSubpass = VK_SUBPASS_EXTERNAL, dstSubpass = 0, srcStageMask = 
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
#ifdef DEFECT
  const Pass clears = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr);
  const Pass loads = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_LOAD, nullptr);
#else
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = VK_SUBPASS_EXTERNAL;
  dependency.srcStageMask = dependency.dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstAccessMask =
      VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  const Pass clears = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr);
  const Pass loads = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_LOAD, &dependency);
#endif
  const VkClearValue black = {};
  Begin();
  const VkImageMemoryBarrier barrier = ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                                                    VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, 0,
                                                    VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  VkRenderPassBeginInfo begin = PassBegin(clears, &black);
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @FIRST
  vkCmdEndRenderPass(commands);
  begin = PassBegin(loads, &black);
  // @SECOND
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Run();
  Close(clears, loads, image);
}
