// A render pass of two subpasses: the first one clears a color attachment, the second one uses it.
#pragma once

#include <vector>

#include "common/vulkan_pass.h"

// The same by vkCreateRenderPass2. Of color and input attachments alone. `barriers`: what the
// dependencies say stands in VkMemoryBarrier2 structures, and not in their own masks.
[[maybe_unused]] static VkRenderPass CreatePass2(const VkRenderPassCreateInfo& info,
                                                 bool barriers = false) {
  auto references = [](uint32_t count, const VkAttachmentReference* given) {
    std::vector<VkAttachmentReference2> made(count);
    for (uint32_t i = 0; i < count; ++i) {
      made[i].sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2;
      made[i].attachment = given[i].attachment;
      made[i].layout = given[i].layout;
      made[i].aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
    }
    return made;
  };
  std::vector<VkAttachmentDescription2> attachments;
  for (uint32_t i = 0; i < info.attachmentCount; ++i) {
    const VkAttachmentDescription& given = info.pAttachments[i];
    attachments.push_back({VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2, nullptr, given.flags,
                           given.format, given.samples, given.loadOp, given.storeOp,
                           given.stencilLoadOp, given.stencilStoreOp, given.initialLayout,
                           given.finalLayout});
  }
  std::vector<std::vector<VkAttachmentReference2>> kept;
  kept.reserve(2 * info.subpassCount);  // the subpasses point into it
  std::vector<VkSubpassDescription2> subpasses;
  for (uint32_t i = 0; i < info.subpassCount; ++i) {
    const VkSubpassDescription& given = info.pSubpasses[i];
    VkSubpassDescription2 subpass = {VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
    subpass.pipelineBindPoint = given.pipelineBindPoint;
    kept.push_back(references(given.inputAttachmentCount, given.pInputAttachments));
    subpass.inputAttachmentCount = given.inputAttachmentCount;
    subpass.pInputAttachments = kept.back().data();
    kept.push_back(references(given.colorAttachmentCount, given.pColorAttachments));
    subpass.colorAttachmentCount = given.colorAttachmentCount;
    subpass.pColorAttachments = kept.back().data();
    subpasses.push_back(subpass);
  }
  std::vector<VkMemoryBarrier2> masks;
  masks.reserve(info.dependencyCount);  // the dependencies point into it
  std::vector<VkSubpassDependency2> dependencies;
  for (uint32_t i = 0; i < info.dependencyCount; ++i) {
    const VkSubpassDependency& given = info.pDependencies[i];
    dependencies.push_back({VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, nullptr, given.srcSubpass,
                            given.dstSubpass, given.srcStageMask, given.dstStageMask,
                            given.srcAccessMask, given.dstAccessMask, given.dependencyFlags, 0});
    if (!barriers) continue;
    masks.push_back({VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, nullptr, given.srcStageMask,
                     given.srcAccessMask, given.dstStageMask, given.dstAccessMask});
    VkSubpassDependency2& made = dependencies.back();
    made.pNext = &masks.back();
    made.srcStageMask = made.dstStageMask = 0;
    made.srcAccessMask = made.dstAccessMask = 0;
  }
  VkRenderPassCreateInfo2 second = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2};
  second.attachmentCount = info.attachmentCount;
  second.pAttachments = attachments.data();
  second.subpassCount = info.subpassCount;
  second.pSubpasses = subpasses.data();
  second.dependencyCount = info.dependencyCount;
  second.pDependencies = dependencies.data();
  VkRenderPass pass;
  OK(vkCreateRenderPass2(device, &second, nullptr, &pass));
  return pass;
}

// Which vkCreateRenderPass makes it; kBarriers: the second one, with barriers behind dependencies.
enum class Version { kFirst, kSecond, kBarriers };

// What the second subpass uses it for.
enum class SecondUse { kInput, kColor };

// `dependency`: between the two; nullptr: none. The attachment stays in `layout` behind the pass;
// `first_layout` is the one of the first subpass.
[[maybe_unused]] static Pass MakeSubpasses(VkImage image, SecondUse use, VkImageLayout first_layout,
                                           VkImageLayout layout,
                                           const VkSubpassDependency* dependency,
                                           Version version = Version::kFirst) {
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
  if (version == Version::kFirst) {
    OK(vkCreateRenderPass(device, &info, nullptr, &made.pass));
  } else {
    made.pass = CreatePass2(info, version == Version::kBarriers);
  }
  MakeFrame(image, &made);
  return made;
}

[[maybe_unused]] static VkImageCreateInfo SubpassImage() {
  VkImageCreateInfo info = PassImage();
  info.usage |= VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  return info;
}
