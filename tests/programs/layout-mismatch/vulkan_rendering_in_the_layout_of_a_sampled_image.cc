// Defect: A rendering begins with its color attachment in the layout for shaders that read it.
// Fix: The layout is that of an attachment.
// EXPECT error layout-mismatch vkCmdBeginRendering at BEGIN
// EXPECT-FACT vuid=VUID-VkRenderingAttachmentInfo-imageView-06135
// EXIT any
#include "common/vulkan_rendering.h"

int main() {
  OpenForRendering();
  const Rendering made = MakeRendering();
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = made.view;
  color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
#ifdef DEFECT
  color.imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
#endif
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {kPassSize, kPassSize};
  info.layerCount = 1;
  info.colorAttachmentCount = 1;
  info.pColorAttachments = &color;
  Begin();
  // @BEGIN
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Destroy(made);
  Close();
}
