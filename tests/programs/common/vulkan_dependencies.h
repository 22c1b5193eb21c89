// A render pass with one dependency, for programs about the dependency.
#pragma once

#include "common/vulkan.h"

// A pass that clears its only attachment. Not copyable, because its parts point to each other.
struct PassInfo {
  explicit PassInfo(const VkSubpassDependency& given) : dependency(given) {
    attachment.format = VK_FORMAT_R8G8B8A8_UNORM;
    attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    attachment.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &reference;
    info.attachmentCount = info.subpassCount = info.dependencyCount = 1;
    info.pAttachments = &attachment;
    info.pSubpasses = &subpass;
    info.pDependencies = &dependency;
  }
  PassInfo(const PassInfo&) = delete;
  PassInfo& operator=(const PassInfo&) = delete;

  VkSubpassDependency dependency;
  VkAttachmentDescription attachment = {};
  VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass = {};
  VkRenderPassCreateInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
};
