// Defect: A render pass loads an attachment whose initial layout is undefined, which discards what
// it loads.
// Fix: The render pass names the layout that the image has.
// EXPECT error layout-mismatch vkCreateRenderPass at PASS
// EXPECT-FACT vuid=VUID-VkAttachmentDescription-format-06699
#include "common/vulkan.h"

int main() {
  Open();
  VkAttachmentDescription attachment = {};
  attachment.format = VK_FORMAT_R8G8B8A8_UNORM;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  attachment.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
#ifndef DEFECT
  attachment.initialLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
#endif
  const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass = {};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &reference;
  VkRenderPassCreateInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = info.subpassCount = 1;
  info.pAttachments = &attachment;
  info.pSubpasses = &subpass;
  VkRenderPass pass;
  // @PASS
  OK(vkCreateRenderPass(device, &info, nullptr, &pass));
  Close(pass);
}
