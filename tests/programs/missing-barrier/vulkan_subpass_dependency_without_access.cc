// Defect: The dependency between the subpasses orders them, but has no access: what the first one
// cleared is not made available before the layout changes. The render pass is made by
// vkCreateRenderPass2.
// Fix: The dependency has the accesses.
// EXPECT error missing-barrier vkCmdNextSubpass at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=WAW
#include "common/vulkan_subpasses.h"

int main() {
  Open();
  const Image image = MakeImage(SubpassImage());
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = 0;
  dependency.dstSubpass = 1;
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
#ifdef DEFECT
  dependency.srcAccessMask = 0;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.dstAccessMask = 0;
#else
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
#endif
  const Pass pass =
      MakeSubpasses(image.handle, SecondUse::kInput, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, &dependency, Version::kSecond);
  const VkClearValue black = {};
  Begin();
  const VkRenderPassBeginInfo begin = PassBegin(pass, &black);
  // @FIRST
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @SECOND
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Run();
  Close(pass, image);
}
