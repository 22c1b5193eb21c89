// Defect: A framebuffer is created with a view that swaps red and blue.
// Fix: The view of the attachment has the identity swizzle.
// EXPECT error binding-invalid vkCreateFramebuffer at FRAME
// EXPECT-FACT vuid=VUID-VkFramebufferCreateInfo-pAttachments-00884
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  Pass made;
  made.pass = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR);
  VkImageViewCreateInfo view = ViewInfo(image.handle);
  // Each component by its own name is the identity, too.
  view.components.a = VK_COMPONENT_SWIZZLE_A;
#ifdef DEFECT
  view.components.r = VK_COMPONENT_SWIZZLE_B;
  view.components.b = VK_COMPONENT_SWIZZLE_R;
#endif
  OK(vkCreateImageView(device, &view, nullptr, &made.view));
  VkFramebufferCreateInfo frame = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  frame.renderPass = made.pass;
  frame.attachmentCount = 1;
  frame.pAttachments = &made.view;
  frame.width = frame.height = kPassSize;
  frame.layers = 1;
  // @FRAME
  OK(vkCreateFramebuffer(device, &frame, nullptr, &made.frame));
  Close(made, image);
}
