// Defect: A rendering is to resolve an attachment that has one sample.
// Fix: It resolves nothing.
// EXPECT error binding-invalid vkCmdBeginRendering at BEGIN
// EXPECT-FACT vuid=VUID-VkRenderingAttachmentInfo-imageView-06861
// EXIT any
#include "common/vulkan_rendering.h"

int main() {
  OpenForRendering();
  const Rendering made = MakeRendering();
  VkRenderingAttachmentInfo color = ClearedColor(made);
#ifdef DEFECT
  color.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
  color.resolveImageView = made.view;
  color.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
#endif
  const VkRenderingInfo info = RenderingTo(color);
  Begin();
  // @BEGIN
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(made);
}
