// Defect: A framebuffer is given a view whose format is not that of the attachment in the render
// pass.
// Fix: The render pass names the format of the view.
// EXPECT error binding-invalid vkCreateFramebuffer
// EXPECT-FACT vuid=VUID-VkFramebufferCreateInfo-pAttachments-00880
// EXIT any
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
#ifdef DEFECT
  format = VK_FORMAT_R8G8B8A8_SRGB;
#endif
  Pass pass;
  pass.pass =
      MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED, format);
  MakeFrame(image.handle, &pass);
  Close(pass, image);
}
