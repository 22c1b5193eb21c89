// The description of a render pass.
#include "hooks/vulkan/objects/render_pass_info.h"

#include <algorithm>

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/objects/formats.h"

namespace gpusan::vulkan {
namespace {

constexpr uint64_t kAllAttachmentAccess =
    VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
    VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;

template <typename Description>
RenderPassInfo::Attachment Attachment(const Description& given) {
  RenderPassInfo::Attachment attachment;
  attachment.load = given.loadOp;
  attachment.stencil_load = given.stencilLoadOp;
  attachment.store = given.storeOp;
  attachment.stencil_store = given.stencilStoreOp;
  attachment.initial_layout = given.initialLayout;
  attachment.final_layout = given.finalLayout;
  attachment.depth =
      (AspectsOf(given.format) & (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT)) != 0;
  return attachment;
}

// The use of the referenced attachment by the last subpass so far; nullptr: unused attachment.
template <typename Reference>
RenderPassInfo::Use* UseOf(RenderPassInfo* pass_info, const Reference* reference) {
  if (reference == nullptr || reference->attachment >= pass_info->attachments.size())
    return nullptr;
  RenderPassInfo::Attachment& attachment = pass_info->attachments[reference->attachment];
  const auto subpass = static_cast<uint32_t>(pass_info->subpasses.size() - 1);
  if (!attachment.used) attachment.first_subpass = subpass;
  attachment.used = true;
  attachment.last_subpass = subpass;
  attachment.writable |= WritableAspects(reference->layout);
  std::vector<RenderPassInfo::Use>& uses = pass_info->subpasses.back().uses;
  auto use = std::find_if(uses.begin(), uses.end(), [&](const RenderPassInfo::Use& known) {
    return known.attachment == reference->attachment;
  });
  if (use == uses.end()) {
    use = uses.emplace(uses.end());
    use->attachment = reference->attachment;
  }
  use->layout = reference->layout;
  return &*use;
}

template <typename Reference>
void AddDepth(RenderPassInfo* pass_info, const Reference* reference) {
  RenderPassInfo::Use* use = UseOf(pass_info, reference);
  if (use == nullptr) return;
  use->depth = true;
  use->tested = WritableAspects(reference->layout);
  if constexpr (requires { reference->pNext; }) {
    // The separate layout of stencil.
    if (const auto* stencil = FindInChain<VkAttachmentReferenceStencilLayout>(
            reference->pNext, VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT)) {
      constexpr uint32_t kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
      use->tested =
          (use->tested & ~kStencil) | (WritableAspects(stencil->stencilLayout) & kStencil);
      pass_info->attachments[use->attachment].writable |= use->tested;
    }
  }
  use->writable |= use->tested != 0;
}
template <typename Reference>
void AddResolve(RenderPassInfo* pass_info, const Reference* reference) {
  RenderPassInfo::Use* use = UseOf(pass_info, reference);
  if (use == nullptr) return;
  use->resolved = use->writable = true;
  RenderPassInfo::Attachment& attachment = pass_info->attachments[use->attachment];
  attachment.resolved = attachment.depth;
}

template <typename Description>
void AddSubpass(RenderPassInfo* pass_info, const Description& given) {
  pass_info->subpasses.emplace_back();
  // VK_EXT_rasterization_order_attachment_access: color, depth and stencil.
  constexpr VkSubpassDescriptionFlags kOrdered = 0x70;
  pass_info->subpasses.back().ordered_inputs = (given.flags & kOrdered) != 0;
  for (uint32_t i = 0; i < given.inputAttachmentCount; ++i) {
    if (RenderPassInfo::Use* use = UseOf(pass_info, &given.pInputAttachments[i])) use->input = true;
  }
  for (uint32_t i = 0; i < given.colorAttachmentCount; ++i) {
    if (RenderPassInfo::Use* use = UseOf(pass_info, &given.pColorAttachments[i])) {
      use->color_slot = i;
      use->writable = true;
    }
    if (given.pResolveAttachments != nullptr) AddResolve(pass_info, &given.pResolveAttachments[i]);
  }
  AddDepth(pass_info, given.pDepthStencilAttachment);
}

template <typename Info>
RenderPassInfo Describe(const Info& info) {
  RenderPassInfo pass_info;
  for (uint32_t i = 0; i < info.attachmentCount; ++i)
    pass_info.attachments.push_back(Attachment(info.pAttachments[i]));
  for (uint32_t i = 0; i < info.subpassCount; ++i) {
    AddSubpass(&pass_info, info.pSubpasses[i]);
    if constexpr (requires { info.pSubpasses[i].viewMask; }) {
      pass_info.subpasses.back().views = info.pSubpasses[i].viewMask;
      pass_info.views |= info.pSubpasses[i].viewMask;
    }
    if constexpr (requires { info.pSubpasses[i].pNext; }) {
      const auto* resolve = FindInChain<VkSubpassDescriptionDepthStencilResolve>(
          info.pSubpasses[i].pNext, VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE);
      if (resolve != nullptr) AddResolve(&pass_info, resolve->pDepthStencilResolveAttachment);
    }
  }
  for (uint32_t i = 0; i < info.dependencyCount; ++i) {
    const auto& given = info.pDependencies[i];
    GivenMasks masks = {given.srcStageMask, given.srcAccessMask, given.dstStageMask,
                        given.dstAccessMask};
    if constexpr (requires { given.pNext; }) {
      if (const auto* barrier =
              FindInChain<VkMemoryBarrier2>(given.pNext, VK_STRUCTURE_TYPE_MEMORY_BARRIER_2)) {
        masks = {barrier->srcStageMask, barrier->srcAccessMask, barrier->dstStageMask,
                 barrier->dstAccessMask};
      }
    }
    pass_info.dependencies.push_back({given.srcSubpass, given.dstSubpass, masks});
  }
  return pass_info;
}

// Joins the dependencies for which `matches` returns true; returns false if there is none.
template <typename Matches>
bool Unite(const RenderPassInfo& pass_info, Matches matches, GivenMasks* masks) {
  bool any = false;
  for (const RenderPassInfo::Dependency& dependency : pass_info.dependencies) {
    if (!matches(dependency)) continue;
    any = true;
    masks->source_stages |= dependency.masks.source_stages;
    masks->source_access |= dependency.masks.source_access;
    masks->target_stages |= dependency.masks.target_stages;
    masks->target_access |= dependency.masks.target_access;
  }
  return any;
}

}  // namespace

GivenMasks RenderPassInfo::Before(uint32_t subpass) const {
  GivenMasks masks;
  const bool any = Unite(
      *this,
      [&](const Dependency& dependency) {
        return dependency.source == VK_SUBPASS_EXTERNAL && dependency.target == subpass;
      },
      &masks);
  if (any) return masks;
  // The implicit dependency (Vulkan 1.3 §8.1) waits for nothing.
  return {VK_PIPELINE_STAGE_2_NONE, 0, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, kAllAttachmentAccess};
}

GivenMasks RenderPassInfo::Behind(uint32_t subpass) const {
  GivenMasks masks;
  const bool any = Unite(
      *this,
      [&](const Dependency& dependency) {
        return dependency.target == VK_SUBPASS_EXTERNAL && dependency.source == subpass;
      },
      &masks);
  if (any) return masks;
  // The implicit dependency precedes nothing.
  return {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, kAllAttachmentAccess, VK_PIPELINE_STAGE_2_NONE, 0};
}

GivenMasks RenderPassInfo::Between(uint32_t subpass) const {
  GivenMasks masks;
  const bool any = Unite(
      *this,
      [&](const Dependency& dependency) {
        return dependency.source != VK_SUBPASS_EXTERNAL && dependency.source != subpass &&
               dependency.target == subpass;
      },
      &masks);
  if (any) return masks;
  // No dependency is implicit between subpasses: a missing one is reported once, not for every
  // later access.
  return {VK_PIPELINE_STAGE_2_NONE, 0, VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, kAllAttachmentAccess};
}

RenderPassInfo MakeRenderPassInfo(const VkRenderPassCreateInfo& info) {
  RenderPassInfo pass_info = Describe(info);
  if (const auto* multiview = FindInChain<VkRenderPassMultiviewCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO)) {
    for (uint32_t i = 0; multiview->pViewMasks != nullptr && i < multiview->subpassCount; ++i) {
      pass_info.views |= multiview->pViewMasks[i];
      if (i < pass_info.subpasses.size()) pass_info.subpasses[i].views = multiview->pViewMasks[i];
    }
  }
  return pass_info;
}
RenderPassInfo MakeRenderPassInfo(const VkRenderPassCreateInfo2& info) { return Describe(info); }

uint32_t WritableAspects(Layout layout) {
  constexpr uint32_t kDepth = VK_IMAGE_ASPECT_DEPTH_BIT, kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  switch (layout) {
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL:
      return 0;
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL:
    case VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL:
      return kStencil;
    case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL:
      return kDepth;
    default:
      return ~uint32_t{0};
  }
}

}  // namespace gpusan::vulkan
