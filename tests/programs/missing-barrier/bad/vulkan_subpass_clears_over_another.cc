// Both subpasses write the same color attachment, in the same layout, and no dependency orders the
// two.
// EXPECT error missing-barrier vkCmdClearAttachments at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=WAW
#include "common/vulkan_subpasses.h"

int main() {
  Open();
  const Image image = MakeImage(SubpassImage());
  const Pass pass = MakeSubpasses(image.handle, SecondUse::kColor, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                  VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, nullptr);
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
  vkCmdEndRenderPass(commands);
  Run();
  Destroy(pass);
  Destroy(image);
  Close();
}
