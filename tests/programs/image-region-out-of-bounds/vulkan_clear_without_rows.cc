// Defect: A clear inside a rendering has a rectangle without rows.
// Fix: The rectangle has rows.
// EXPECT error image-region-out-of-bounds vkCmdClearAttachments at CLEAR
// EXPECT-FACT vuid=VUID-vkCmdClearAttachments-rect-02683
// EXIT any
#include "common/vulkan_rendering.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  Begin();
  BeginRendering(rendering, 0);
  VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT};
  VkClearRect rect = {{{0, 0}, {kPassSize, kPassSize}}, 0, 1};
#ifdef DEFECT
  rect.rect.extent.height = 0;
#endif
  // @CLEAR
  vkCmdClearAttachments(commands, 1, &clear, 1, &rect);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(rendering);
}
