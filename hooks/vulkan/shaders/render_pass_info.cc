// The description of a render pass.
#include "hooks/vulkan/shaders/render_pass_info.h"

#include <algorithm>

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/call/definition_hash.h"
#include "hooks/vulkan/words/formats.h"

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
  attachment.format = given.format;
  attachment.samples = given.samples;
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
  use->read_only = ReadOnlyAspects(reference->layout);
  if constexpr (requires { reference->pNext; }) {
    // The separate layout of stencil.
    if (const auto* stencil = FindInChain<VkAttachmentReferenceStencilLayout>(
            reference->pNext, VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT)) {
      constexpr uint32_t kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
      use->tested =
          (use->tested & ~kStencil) | (WritableAspects(stencil->stencilLayout) & kStencil);
      use->read_only =
          (use->read_only & ~kStencil) | (ReadOnlyAspects(stencil->stencilLayout) & kStencil);
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
  pass_info->subpasses.back().colors = given.colorAttachmentCount;
  for (uint32_t i = 0; i < given.colorAttachmentCount; ++i) {
    if (RenderPassInfo::Use* use = UseOf(pass_info, &given.pColorAttachments[i])) {
      use->color_slot = i;
      use->writable = true;
    }
    if (given.pResolveAttachments != nullptr) AddResolve(pass_info, &given.pResolveAttachments[i]);
  }
  AddDepth(pass_info, given.pDepthStencilAttachment);
}

// RenderPassInfo::compatibility of the description. Resolves do not count in a render pass of one
// subpass.
template <typename Info>
uint64_t CompatibilityOf(const Info& info, const RenderPassInfo& pass_info) {
  DefinitionHash hash;
  const auto is_used = [&](const auto& reference) {
    return reference.attachment < pass_info.attachments.size();
  };
  const auto add = [&](const auto* reference) {
    if (reference == nullptr || !is_used(*reference)) return hash.Add(0);
    const RenderPassInfo::Attachment& attachment = pass_info.attachments[reference->attachment];
    hash.Add(uint64_t{static_cast<uint32_t>(attachment.format)} << 8 | attachment.samples);
  };
  // Attachments that the shorter one of two arrays lacks count as unused.
  const auto add_all = [&](uint32_t count, const auto* references) {
    if (references == nullptr) count = 0;
    while (count > 0 && !is_used(references[count - 1])) --count;
    hash.Add(count);
    for (uint32_t i = 0; i < count; ++i) add(&references[i]);
  };
  hash.Add(info.subpassCount);
  for (uint32_t i = 0; i < info.subpassCount; ++i) {
    const auto& given = info.pSubpasses[i];
    hash.Add(pass_info.subpasses[i].views);
    add_all(given.inputAttachmentCount, given.pInputAttachments);
    add_all(given.colorAttachmentCount, given.pColorAttachments);
    add(given.pDepthStencilAttachment);
    if (info.subpassCount == 1) continue;
    add_all(given.colorAttachmentCount, given.pResolveAttachments);
    if constexpr (requires { given.pNext; }) {
      const auto* resolve = FindInChain<VkSubpassDescriptionDepthStencilResolve>(
          given.pNext, VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE);
      add(resolve != nullptr ? resolve->pDepthStencilResolveAttachment : nullptr);
    } else {
      hash.Add(0);
    }
  }
  return hash.value();
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
  for (uint32_t i = 0; i < info.attachmentCount; ++i) {
    const RenderPassInfo::Attachment& attachment = pass_info.attachments[i];
    const VkImageAspectFlags aspects = AspectsOf(attachment.format);
    const bool clears = ((aspects & ~VkImageAspectFlags{VK_IMAGE_ASPECT_STENCIL_BIT}) != 0 &&
                         attachment.load == VK_ATTACHMENT_LOAD_OP_CLEAR) ||
                        ((aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0 &&
                         attachment.stencil_load == VK_ATTACHMENT_LOAD_OP_CLEAR);
    if (clears && attachment.used) pass_info.clear_values = i + 1;
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
    pass_info.dependencies.push_back(
        {given.srcSubpass, given.dstSubpass, masks, given.dependencyFlags});
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

GivenMasks RenderPassInfo::Before(uint32_t subpass, bool changes) const {
  GivenMasks masks;
  const bool any = Unite(
      *this,
      [&](const Dependency& dependency) {
        return dependency.source == VK_SUBPASS_EXTERNAL && dependency.target == subpass;
      },
      &masks);
  if (any) return masks;
  // The implicit dependency (Vulkan 1.3 §8.1) waits for nothing. The transition is still ordered
  // after a barrier whose second scope has all commands.
  return {changes ? kPassTransition : VK_PIPELINE_STAGE_2_NONE, 0,
          VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, kAllAttachmentAccess};
}

GivenMasks RenderPassInfo::Behind(uint32_t subpass, bool changes) const {
  GivenMasks masks;
  const bool any = Unite(
      *this,
      [&](const Dependency& dependency) {
        return dependency.target == VK_SUBPASS_EXTERNAL && dependency.source == subpass;
      },
      &masks);
  if (any) return masks;
  // The implicit dependency precedes nothing. A barrier whose first scope has all commands still
  // follows the transition.
  return {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, kAllAttachmentAccess,
          changes ? kPassTransition : VK_PIPELINE_STAGE_2_NONE, 0};
}

GivenMasks RenderPassInfo::BehindUnused() const {
  GivenMasks masks = {
      VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
      VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
      kUnusedTransition, 0};
  if (std::ranges::any_of(dependencies, [](const Dependency& dependency) {
        return dependency.target == VK_SUBPASS_EXTERNAL;
      })) {
    masks.target_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    masks.target_access = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  }
  return masks;
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
  pass_info.compatibility = CompatibilityOf(info, pass_info);
  return pass_info;
}
RenderPassInfo MakeRenderPassInfo(const VkRenderPassCreateInfo2& info) {
  RenderPassInfo pass_info = Describe(info);
  pass_info.compatibility = CompatibilityOf(info, pass_info);
  return pass_info;
}

uint64_t RenderingFormats::Compatibility() const {
  DefinitionHash hash;
  hash.Add(colors.size());
  for (VkFormat format : colors) hash.Add(static_cast<uint32_t>(format));
  hash.Add(static_cast<uint32_t>(depth));
  hash.Add(static_cast<uint32_t>(stencil));
  hash.Add(views);
  hash.Add(samples);
  return hash.value();
}

uint32_t RenderPassInfo::ReadOnlyIn(uint32_t subpass) const {
  for (const Use& use : subpasses[subpass].uses) {
    if (use.depth) return use.read_only & AspectsOf(attachments[use.attachment].format);
  }
  return 0;
}

uint32_t ReadOnlyAspects(Layout layout) {
  constexpr uint32_t kDepth = VK_IMAGE_ASPECT_DEPTH_BIT, kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  switch (layout) {
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
      return kDepth | kStencil;
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL:
      return kDepth;
    case VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL:
      return kStencil;
    default:
      return 0;
  }
}

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
