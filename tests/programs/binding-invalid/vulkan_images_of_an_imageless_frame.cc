// Defect: A render pass begins with views of images that have another usage, or another size, than
// the imageless framebuffer was created for.
// Fix: The framebuffer was created for these images.
// EXPECT error binding-invalid vkCmdBeginRenderPass at USAGE
// EXPECT-FACT vuid=VUID-VkRenderPassBeginInfo-framebuffer-04627
// EXPECT error binding-invalid vkCmdBeginRenderPass at SIZE
// EXPECT-FACT vuid=VUID-VkRenderPassBeginInfo-framebuffer-03211
#include "common/vulkan_pass.h"

static VkFramebuffer MakeImageless(VkRenderPass pass, VkImageUsageFlags usage, uint32_t width) {
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  VkFramebufferAttachmentImageInfo image = {VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO};
  image.usage = usage;
  image.width = width;
  image.height = kPassSize;
  image.layerCount = 1;
  image.viewFormatCount = 1;
  image.pViewFormats = &format;
  VkFramebufferAttachmentsCreateInfo images = {
      VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO};
  images.attachmentImageInfoCount = 1;
  images.pAttachmentImageInfos = &image;
  VkFramebufferCreateInfo info = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, &images};
  info.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
  info.renderPass = pass;
  info.attachmentCount = 1;
  info.width = info.height = kPassSize;
  info.layers = 1;
  VkFramebuffer made;
  OK(vkCreateFramebuffer(device, &info, nullptr, &made));
  return made;
}

int main() {
  VkPhysicalDeviceVulkan12Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  features.imagelessFramebuffer = VK_TRUE;
  Open({.features = &features});
  const Image image = MakeImage(PassImage());
  const VkImageView view = ViewOf(image.handle);
  const VkSubpassDependency after = {VK_SUBPASS_EXTERNAL,
                                     0,
                                     VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                     VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                     VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                     VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                     0};
  const VkRenderPass pass = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR, &after);
  VkImageUsageFlags usage = PassImage().usage;
  uint32_t width = kPassSize;
#ifdef DEFECT
  usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  width = 2 * kPassSize;
#endif
  const VkFramebuffer by_usage = MakeImageless(pass, usage, kPassSize);
  const VkFramebuffer by_size = MakeImageless(pass, PassImage().usage, width);
  VkRenderPassAttachmentBeginInfo attachments = {
      VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO};
  attachments.attachmentCount = 1;
  attachments.pAttachments = &view;
  const VkClearValue clear = {};
  VkRenderPassBeginInfo begin = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, &attachments};
  begin.renderPass = pass;
  begin.framebuffer = by_usage;
  begin.renderArea.extent = {kPassSize, kPassSize};
  begin.clearValueCount = 1;
  begin.pClearValues = &clear;
  Begin();
  // @USAGE
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  begin.framebuffer = by_size;
  // @SIZE
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Run();
  vkDestroyFramebuffer(device, by_usage, nullptr);
  vkDestroyFramebuffer(device, by_size, nullptr);
  Close(pass, view, image);
}
