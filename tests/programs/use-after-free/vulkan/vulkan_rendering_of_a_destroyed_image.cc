// Defect: Renders to a view whose image has been destroyed.
// Fix: The image is destroyed after the rendering; the view outlives it.
// EXPECT error use-after-free vkCmdBeginRendering at BEGIN
// EXIT any
#include "common/vulkan_rendering.h"

int main() {
  OpenForRendering();
  Rendering rendering = MakeRendering();
#ifdef DEFECT
  Destroy(rendering.image);
#endif
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = rendering.view;
  color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {kPassSize, kPassSize};
  info.layerCount = 1;
  info.colorAttachmentCount = 1;
  info.pColorAttachments = &color;
  Begin();
  // @BEGIN
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
#ifdef DEFECT
  OK(vkEndCommandBuffer(commands));
#else
  Run();
  Destroy(rendering.image);
#endif
  rendering.image = {};
  Close(rendering);
}
