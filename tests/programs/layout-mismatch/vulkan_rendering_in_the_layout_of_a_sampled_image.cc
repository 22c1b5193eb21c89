// Defect: A rendering begins with its color attachment in the layout for shaders that read it.
// Fix: The layout is that of an attachment.
// EXPECT error layout-mismatch vkCmdBeginRendering at BEGIN
// EXPECT-FACT vuid=VUID-VkRenderingAttachmentInfo-imageView-06135
// EXIT any
#include "common/vulkan_rendering.h"

int main() {
  OpenForRendering();
  const Rendering made = MakeRendering();
  VkRenderingAttachmentInfo color = ClearedColor(made);
#ifdef DEFECT
  color.imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
#endif
  const VkRenderingInfo info = RenderingTo(color);
  Begin();
  // @BEGIN
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(made);
}
