// Defect: The second subpass reads as an input attachment what the first one cleared. Its layout
// changes between the two, and no dependency of the render pass puts that after the clear.
// Fix: The render pass has the dependency.
// EXPECT error missing-barrier vkCmdNextSubpass at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=WAW
#include "common/vulkan_barriers.h"
#include "common/vulkan_subpasses.h"

int main() {
  Open();
  const Image image = MakeImage(SubpassImage());
#ifdef DEFECT
  const Pass pass =
      MakeSubpasses(image.handle, SecondUse::kInput, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, nullptr);
#else
  const VkSubpassDependency dependency = InputDependency();
  const Pass pass =
      MakeSubpasses(image.handle, SecondUse::kInput, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, &dependency);
#endif
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
