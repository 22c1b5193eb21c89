// Defect: Both subpasses write the same color attachment, in the same layout, and no dependency
// orders the two. The store of the second one also writes what its clear does not cover.
// Fix: A dependency orders the two. The second subpass clears twice, which needs no order within a
// subpass.
// EXPECT error missing-barrier vkCmdClearAttachments at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=WAW
// EXPECT error missing-barrier vkCmdEndRenderPass at END
// EXPECT-PARTY earlier-access at FIRST
#include "common/vulkan_subpasses.h"

int main() {
  Open();
  const Image image = MakeImage(SubpassImage());
#ifdef DEFECT
  const Pass pass =
      MakeSubpasses(image.handle, SecondUse::kColor, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                    VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, nullptr);
#else
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = 0;
  dependency.dstSubpass = 1;
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  const Pass pass =
      MakeSubpasses(image.handle, SecondUse::kColor, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                    VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, &dependency);
#endif
  const VkClearValue black = {};
  Begin();
  const VkRenderPassBeginInfo begin = PassBegin(pass, &black);
  // @FIRST
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  VkClearAttachment part = {};
  part.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
  const VkClearRect rect = {{{4, 4}, {8, 8}}, 0, 1};
  // @SECOND
  vkCmdClearAttachments(commands, 1, &part, 1, &rect);
#ifndef DEFECT
  vkCmdClearAttachments(commands, 1, &part, 1, &rect);
#endif
  // @END
  vkCmdEndRenderPass(commands);
  Run();
  Close(pass, image);
}
