// A render pass of two subpasses: the first one clears a color attachment, the second one uses it.
#pragma once

#include "common/vulkan_pass.h"

// What the second subpass uses it for.
enum class SecondUse { kInput, kColor };

// `dependency`: between the two; nullptr: none. The attachment stays in `layout` behind the pass;
// `first_layout` is the one of the first subpass.
[[maybe_unused]] static Pass MakeSubpasses(VkImage image, SecondUse use, VkImageLayout first_layout,
                                           VkImageLayout layout,
                                           const VkSubpassDependency* dependency) {
  Pass made;
  VkAttachmentDescription attachment = {};
  attachment.format = VK_FORMAT_R8G8B8A8_UNORM;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  attachment.finalLayout = layout;
  const VkAttachmentReference first = {0, first_layout};
  const VkAttachmentReference second = {0, layout};
  VkSubpassDescription subpasses[2] = {};
  for (VkSubpassDescription& subpass : subpasses)
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpasses[0].colorAttachmentCount = 1;
  subpasses[0].pColorAttachments = &first;
  if (use == SecondUse::kInput) {
    subpasses[1].inputAttachmentCount = 1;
    subpasses[1].pInputAttachments = &second;
  } else {
    subpasses[1].colorAttachmentCount = 1;
    subpasses[1].pColorAttachments = &second;
  }
  VkRenderPassCreateInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 1;
  info.pAttachments = &attachment;
  info.subpassCount = 2;
  info.pSubpasses = subpasses;
  info.dependencyCount = dependency != nullptr ? 1 : 0;
  info.pDependencies = dependency;
  OK(vkCreateRenderPass(device, &info, nullptr, &made.pass));
  MakeFrame(image, &made);
  return made;
}

[[maybe_unused]] static VkImageCreateInfo SubpassImage() {
  VkImageCreateInfo info = PassImage();
  info.usage |= VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  return info;
}
