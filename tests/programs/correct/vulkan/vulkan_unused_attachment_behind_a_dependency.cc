// The end of a render pass changes the layout of an attachment that no subpass uses. The program
// relies on the dependency of the render pass on later commands. The specification does not say
// whether such a dependency includes the change: no finding.
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  VkSubpassDependency dependency = {};
  dependency.dstSubpass = VK_SUBPASS_EXTERNAL;
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  const Pass pass = MakeUnusedPass(image.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &dependency);
  const VkClearValue unused = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &unused);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1,
                       &kWhole);
  Run();
  Close(pass, image);
}
