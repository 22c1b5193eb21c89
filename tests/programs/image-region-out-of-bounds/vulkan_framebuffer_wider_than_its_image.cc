// Defect: A framebuffer is wider than the image of its attachment.
// Fix: The image is as wide as the framebuffer.
// EXPECT error image-region-out-of-bounds vkCreateFramebuffer
// EXPECT-FACT vuid=VUID-VkFramebufferCreateInfo-flags-04533
// EXIT any
#include "common/vulkan_pass.h"

int main() {
  Open();
  VkImageCreateInfo info = PassImage();
#ifdef DEFECT
  info.extent.width = kPassSize / 2;
#endif
  const Image image = MakeImage(info);
  Pass pass;
  pass.pass = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR);
  MakeFrame(image.handle, &pass);
  Close(pass, image);
}
