// Defect: A render pass begins with a framebuffer after the image of its view has been destroyed.
// Fix: The image is destroyed after the render pass. Another framebuffer of the destroyed image is not used again.
// EXPECT error use-after-free vkCmdBeginRenderPass at BEGIN
// EXIT any
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const Image later = MakeImage(PassImage());
  const Pass pass_of_later =
      MakePass(later.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
#ifdef DEFECT
  Destroy(image);
#endif
  const VkClearValue clear = {};
  VkRenderPassBeginInfo info = PassBegin(pass, &clear);
  Begin();
  // @BEGIN
  vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
#ifdef DEFECT
  OK(vkEndCommandBuffer(commands));
#else
  Run();
  Destroy(image);
  info = PassBegin(pass_of_later, &clear);
  Begin();
  vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Run();
#endif
  Close(pass, pass_of_later, later);
}
