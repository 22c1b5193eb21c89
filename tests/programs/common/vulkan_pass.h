// A render pass with one color attachment, for the programs that need no pipeline: its loads and
// stores are what they are about.
#pragma once

#include "common/vulkan_objects.h"

struct Pass {
  VkRenderPass pass;
  VkImageView view;
  VkFramebuffer frame;
};

constexpr uint32_t kPassSize = 16;

// The view of an image and the framebuffer of a pass with that one attachment.
[[maybe_unused]] static void MakeFrame(VkImage image, Pass* made) {
  made->view = ViewOf(image);
  VkFramebufferCreateInfo frame = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  frame.renderPass = made->pass;
  frame.attachmentCount = 1;
  frame.pAttachments = &made->view;
  frame.width = frame.height = kPassSize;
  frame.layers = 1;
  OK(vkCreateFramebuffer(device, &frame, nullptr, &made->frame));
}

// Brings its attachment from layout `before` into COLOR_ATTACHMENT_OPTIMAL, and at its end into
// `after`. `dependency`: with what is before the pass; nullptr: none.
[[maybe_unused]] static VkRenderPass MakeRenderPass(
    VkAttachmentLoadOp load, const VkSubpassDependency* dependency = nullptr,
    VkImageLayout before = VK_IMAGE_LAYOUT_UNDEFINED, VkFormat format = VK_FORMAT_R8G8B8A8_UNORM,
    VkImageLayout after = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
    VkAttachmentStoreOp store = VK_ATTACHMENT_STORE_OP_STORE) {
  VkAttachmentDescription attachment = {};
  attachment.format = format;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = load;
  attachment.storeOp = store;
  attachment.initialLayout = before;
  attachment.finalLayout = after;
  const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass = {};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &reference;
  VkRenderPassCreateInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 1;
  info.pAttachments = &attachment;
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  info.dependencyCount = dependency != nullptr ? 1 : 0;
  info.pDependencies = dependency;
  VkRenderPass pass;
  OK(vkCreateRenderPass(device, &info, nullptr, &pass));
  return pass;
}

// The same with a framebuffer for the image.
[[maybe_unused]] static Pass MakePass(
    VkImage image, VkAttachmentLoadOp load, const VkSubpassDependency* dependency,
    VkImageLayout before = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
    VkImageLayout after = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
    VkAttachmentStoreOp store = VK_ATTACHMENT_STORE_OP_STORE) {
  Pass made;
  made.pass = MakeRenderPass(load, dependency, before, VK_FORMAT_R8G8B8A8_UNORM, after, store);
  MakeFrame(image, &made);
  return made;
}

// A pass whose only subpass does not use its attachment: its end changes the layout. `dependency`:
// with what is around the pass; nullptr: none.
[[maybe_unused]] static Pass MakeUnusedPass(VkImage image, VkImageLayout before,
                                            VkImageLayout after,
                                            const VkSubpassDependency* dependency = nullptr) {
  VkAttachmentDescription attachment = {};
  attachment.format = VK_FORMAT_R8G8B8A8_UNORM;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  attachment.initialLayout = before;
  attachment.finalLayout = after;
  VkSubpassDescription subpass = {};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  VkRenderPassCreateInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 1;
  info.pAttachments = &attachment;
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  info.dependencyCount = dependency != nullptr ? 1 : 0;
  info.pDependencies = dependency;
  Pass made;
  OK(vkCreateRenderPass(device, &info, nullptr, &made.pass));
  MakeFrame(image, &made);
  return made;
}

[[maybe_unused]] static VkRenderPassBeginInfo PassBegin(const Pass& pass,
                                                        const VkClearValue* clear) {
  VkRenderPassBeginInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  info.renderPass = pass.pass;
  info.framebuffer = pass.frame;
  info.renderArea.extent = {kPassSize, kPassSize};
  info.clearValueCount = 1;
  info.pClearValues = clear;
  return info;
}

[[maybe_unused]] static void Destroy(const Pass& pass) {
  vkDestroyFramebuffer(device, pass.frame, nullptr);
  vkDestroyImageView(device, pass.view, nullptr);
  vkDestroyRenderPass(device, pass.pass, nullptr);
}

[[maybe_unused]] static VkImageCreateInfo PassImage() {
  VkImageCreateInfo info = ImageInfo(kPassSize, kPassSize);
  info.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  return info;
}

// Brings the image from no layout to VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL.
[[maybe_unused]] static void StartAsAttachment(VkImage image) {
  Begin();
  const VkImageMemoryBarrier barrier = ImageBarrier(image, VK_IMAGE_LAYOUT_UNDEFINED,
                                                    VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, 0, 0);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  Run();
}
