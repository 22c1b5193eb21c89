// Defect: The render area is wider than the framebuffer.
// Fix: It ends with the framebuffer.
// EXPECT error image-region-out-of-bounds vkCmdBeginRenderPass at BEGIN
// EXPECT-FACT vuid=VUID-VkRenderPassBeginInfo-pNext-02852
// EXIT any
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
#ifdef DEFECT
  begin.renderArea.extent.width = 2 * kPassSize;
#endif
  Begin();
  // @BEGIN
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pass, image);
}
