// A render pass that clears an image of a window's swapchain and makes it presentable.
#pragma once

#include "common/vulkan_window.h"

struct PresentPass {
  VkRenderPass pass;
  std::vector<VkImageView> views;     // by image of the swapchain
  std::vector<VkFramebuffer> frames;  // by image of the swapchain
};

// With a dependency, the pass waits for the stage COLOR_ATTACHMENT_OUTPUT of earlier work.
// `dependencies`: 0 or 1.
[[maybe_unused]] static PresentPass MakePresentPass(const Window& window, uint32_t dependencies) {
  PresentPass made;
  VkAttachmentDescription attachment = {};
  attachment.format = window.format;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.finalLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
  const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass = {};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &reference;
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = VK_SUBPASS_EXTERNAL;
  dependency.srcStageMask = dependency.dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  VkRenderPassCreateInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 1;
  info.pAttachments = &attachment;
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  info.dependencyCount = dependencies;
  info.pDependencies = &dependency;
  OK(vkCreateRenderPass(device, &info, nullptr, &made.pass));
  for (VkImage image : window.images) {
    const VkImageViewCreateInfo view = ViewInfo(image, window.format);
    OK(vkCreateImageView(device, &view, nullptr, &made.views.emplace_back()));
    VkFramebufferCreateInfo frame = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    frame.renderPass = made.pass;
    frame.attachmentCount = 1;
    frame.pAttachments = &made.views.back();
    frame.width = frame.height = kWindowSize;
    frame.layers = 1;
    OK(vkCreateFramebuffer(device, &frame, nullptr, &made.frames.emplace_back()));
  }
  return made;
}

// The clear of the image, for vkCmdBeginRenderPass.
[[maybe_unused]] static VkRenderPassBeginInfo PresentPassBegin(const PresentPass& pass,
                                                               uint32_t image) {
  static const VkClearValue clear = {};
  VkRenderPassBeginInfo begin = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  begin.renderPass = pass.pass;
  begin.framebuffer = pass.frames[image];
  begin.renderArea.extent = {kWindowSize, kWindowSize};
  begin.clearValueCount = 1;
  begin.pClearValues = &clear;
  return begin;
}

[[maybe_unused]] static void Destroy(const PresentPass& pass) {
  for (size_t i = 0; i < pass.frames.size(); ++i) {
    vkDestroyFramebuffer(device, pass.frames[i], nullptr);
    vkDestroyImageView(device, pass.views[i], nullptr);
  }
  vkDestroyRenderPass(device, pass.pass, nullptr);
}
