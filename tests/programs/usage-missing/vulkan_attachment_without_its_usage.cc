// Defect: A framebuffer is created with an image that was created for copies only.
// Fix: The image is created with VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT.
// EXPECT error usage-missing vkCreateFramebuffer
// EXPECT-FACT vuid=VUID-VkFramebufferCreateInfo-pAttachments-00877
#include "common/vulkan_pass.h"

int main() {
  Open();
  VkImageCreateInfo info = PassImage();
#ifdef DEFECT
  info.usage &= ~static_cast<VkImageUsageFlags>(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
#endif
  // A view needs some usage besides copies.
  info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  const Image image = MakeImage(info);
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  Close(pass, image);
}
