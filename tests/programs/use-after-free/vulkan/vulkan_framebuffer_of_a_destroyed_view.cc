// Defect: A framebuffer is created with an image view that was destroyed before.
// Fix: The view is destroyed after the framebuffer.
// EXPECT error use-after-free vkCreateFramebuffer at FRAME
// EXIT any
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  Pass made;
  made.pass = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR);
  const VkImageViewCreateInfo view = ViewInfo(image.handle);
  OK(vkCreateImageView(device, &view, nullptr, &made.view));
  VkFramebufferCreateInfo frame = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  frame.renderPass = made.pass;
  frame.attachmentCount = 1;
  frame.pAttachments = &made.view;
  frame.width = frame.height = kPassSize;
  frame.layers = 1;
#ifdef DEFECT
  vkDestroyImageView(device, made.view, nullptr);
#endif
  // @FRAME
  OK(vkCreateFramebuffer(device, &frame, nullptr, &made.frame));
#ifdef DEFECT
  made.view = VK_NULL_HANDLE;
#endif
  Close(made, image);
}
