// Checks barriers against the queue family of their command buffer, and against the render pass
// that they are in.
#include "hooks/vulkan/recording/barrier_checks.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/formats.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

void Report(VkCall& call, const Object& object, Fault fault, std::string value = "",
            std::string other = "") {
  rules::SyncStateUse use;
  use.fault = fault;
  use.object = &object;
  use.value = std::move(value);
  use.other = std::move(other);
  rules::OnSyncStateUse(use, call);
}

bool IsWait(const VkCall& call) {
  return std::string_view(call.info().name).starts_with("vkCmdWaitEvents");
}

}  // namespace

void CheckNewMasks(Recorder& recorder, const GivenMasks& masks) {
  CommandBufferState& state = recorder.state();
  state.checked[1] = state.checked[0];
  state.checked[0] = masks;
  VkCall& call = recorder.call();
  const Vocabulary& words = call.words();
  const VkQueueFlags family = call.device().flags_of(state.family);
  if (const uint64_t stages = UnsupportedStages(masks.source_stages, family); stages != 0)
      [[unlikely]]
    Report(call, *state.object, Fault::kSourceStages, words.Stages(stages));
  if (const uint64_t stages = UnsupportedStages(masks.target_stages, family); stages != 0)
      [[unlikely]]
    Report(call, *state.object, Fault::kTargetStages, words.Stages(stages));
  const auto source = FindUnsupportedAccess(masks.source_stages, masks.source_access);
  if (source.access != 0) [[unlikely]]
    Report(call, *state.object, Fault::kSourceAccess, words.Accesses(source.access), source.vuid);
  const auto target = FindUnsupportedAccess(masks.target_stages, masks.target_access);
  if (target.access != 0) [[unlikely]]
    Report(call, *state.object, Fault::kTargetAccess, words.Accesses(target.access), target.vuid);
}

void CheckTransfer(Recorder& recorder, const Resource& resource, uint32_t source_family,
                   uint32_t target_family, const GivenMasks& masks, VkDependencyFlags flags) {
  VkCall& call = recorder.call();
  const uint32_t own = recorder.state().family;
  if (IsWait(call)) {
    // vkCmdWaitEvents2 has no such rule.
    if (call.info().name != std::string_view("vkCmdWaitEvents")) return;
    return Report(call, resource, Fault::kWaitTransfers, absl::StrCat(source_family),
                  absl::StrCat(target_family));
  }
  const uint32_t families = static_cast<uint32_t>(call.device().families.size());
  const bool known = own < families && source_family < families && target_family < families &&
                     !static_cast<const ScopedState*>(resource.part)->concurrent;
  if (known && own != source_family && own != target_family) [[unlikely]] {
    return Report(call, resource, Fault::kTransferOfOthers,
                  absl::StrCat(source_family, " to family ", target_family), absl::StrCat(own));
  }
  // VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR, which the headers may
  // lack: the masks may name stages of the other queue.
  constexpr VkDependencyFlags kAllStages = 0x20;
  if ((flags & kAllStages) != 0) return;
  GivenMasks half = masks;
  if (own == source_family || !known) half.target_stages = half.target_access = 0;
  if (own == target_family || !known) half.source_stages = half.source_access = 0;
  CheckMasks(recorder, half);
}

void ReportLayoutUsage(VkCall& call, const Resource& image, Layout layout) {
  if (ImageOf(image).usage == 0) return;  // unknown
  const auto report = [&](const char* usage, const char* vuid) {
    Report(call, image, Fault::kLayoutUsage,
           absl::StrCat(LayoutName(layout), ", but the image was created without ", usage), vuid);
  };
  switch (layout) {
    case VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL:
      return report("VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT", "01208");
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL:
      return report("VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT", "01209");
    case VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL:
      return report("VK_IMAGE_USAGE_SAMPLED_BIT or VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT", "01211");
    case VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL:
      return report("VK_IMAGE_USAGE_TRANSFER_SRC_BIT", "01212");
    case VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL:
      return report("VK_IMAGE_USAGE_TRANSFER_DST_BIT", "01213");
    default:
      return;
  }
}

namespace {

// Adds a finding if the image lacks an aspect of the range, or if the range has only one of depth
// and stencil that must change together. Multi-planar images are not checked.
void CheckAspects(VkCall& call, const ImageState& state, const Resource& image,
                  VkImageAspectFlags aspects) {
  constexpr VkImageAspectFlags kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  const bool color = state.aspects == VK_IMAGE_ASPECT_COLOR_BIT;
  const VkImageAspectFlags lacking =
      color ? aspects & kBoth : aspects & ~state.aspects & (kBoth | VK_IMAGE_ASPECT_COLOR_BIT);
  if (!color && (state.aspects & kBoth) == 0) return;
  if (lacking != 0) {
    return Report(call, image, Fault::kBarrierAspect,
                  (lacking & VK_IMAGE_ASPECT_COLOR_BIT) != 0   ? "VK_IMAGE_ASPECT_COLOR_BIT"
                  : (lacking & VK_IMAGE_ASPECT_DEPTH_BIT) != 0 ? "VK_IMAGE_ASPECT_DEPTH_BIT"
                                                               : "VK_IMAGE_ASPECT_STENCIL_BIT");
  }
  if (state.aspects == kBoth && (aspects & kBoth) != kBoth && aspects != 0 &&
      !call.device().separate_depth_stencil) {
    Report(call, image, Fault::kOneOfDepthStencil,
           (aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0 ? "VK_IMAGE_ASPECT_DEPTH_BIT"
                                                      : "VK_IMAGE_ASPECT_STENCIL_BIT");
  }
}

}  // namespace

void ReportRange(VkCall& call, const Resource& image, const VkImageSubresourceRange& range) {
  const ImageState& state = ImageOf(image);
  if (range.aspectMask != state.aspects) CheckAspects(call, state, image, range.aspectMask);
  // The slices of a 3D image may be its layers (VK_KHR_maintenance9).
  const uint32_t layers = state.is_3d && call.device().slice_barriers
                              ? state.ExtentOf(std::min(range.baseMipLevel, state.mips - 1)).depth
                              : state.layers;
  const auto last = [](uint32_t first, uint32_t count) { return uint64_t{first} + count - 1; };
  if (range.baseMipLevel >= state.mips) {
    return Report(call, image, Fault::kBarrierMips,
                  absl::StrCat("mip level ", range.baseMipLevel, " of the ", state.mips), "01486");
  }
  if (range.levelCount != VK_REMAINING_MIP_LEVELS &&
      last(range.baseMipLevel, range.levelCount) >= state.mips) {
    return Report(call, image, Fault::kBarrierMips,
                  absl::StrCat("mip levels ", range.baseMipLevel, " to ",
                               last(range.baseMipLevel, range.levelCount), " of the ", state.mips),
                  "01724");
  }
  if (range.baseArrayLayer >= layers) {
    return Report(call, image, Fault::kBarrierMips,
                  absl::StrCat("array layer ", range.baseArrayLayer, " of the ", layers), "01488");
  }
  if (range.layerCount != VK_REMAINING_ARRAY_LAYERS &&
      last(range.baseArrayLayer, range.layerCount) >= layers) {
    return Report(call, image, Fault::kBarrierMips,
                  absl::StrCat("array layers ", range.baseArrayLayer, " to ",
                               last(range.baseArrayLayer, range.layerCount), " of the ", layers),
                  "01725");
  }
}

void ReportBytes(VkCall& call, const Resource& buffer, uint64_t offset, uint64_t bytes) {
  const bool begin = offset >= buffer.bytes;
  Report(call, buffer, Fault::kBarrierBytes,
         begin ? absl::StrCat("byte ", offset) : absl::StrCat(bytes, " B from byte ", offset),
         begin ? "offset-01187" : "size-01189");
}

void CheckInPass(Recorder& recorder) {
  const CommandBufferState& state = recorder.state();
  VkCall& call = recorder.call();
  // A wait for events needs no dependency of a subpass to itself.
  if (IsWait(call)) return;
  if (state.pass.kind == PassInstance::Kind::kRendering) {
    if (!call.device().barriers_in_rendering)
      Report(call, *state.object, Fault::kBarrierInRendering);
    return;
  }
  if (state.pass.pass_info == nullptr) return;
  for (const RenderPassInfo::Dependency& dependency : state.pass.pass_info->dependencies) {
    if (dependency.source == state.pass.subpass && dependency.target == state.pass.subpass) return;
  }
  Report(call, *state.object, Fault::kBarrierOfOtherPass, absl::StrCat(state.pass.subpass));
}

void CheckInPass(Recorder& recorder, const Resource& resource, bool image, Layout old_layout,
                 Layout new_layout) {
  const PassInstance& pass = recorder.state().pass;
  VkCall& call = recorder.call();
  if (pass.pass_info == nullptr) return;
  if (!image) {
    if (!IsWait(call)) Report(call, resource, Fault::kBufferBarrierInPass);
    return;
  }
  if (old_layout != new_layout) {
    return Report(call, resource, Fault::kLayoutInPass, LayoutName(old_layout),
                  LayoutName(new_layout));
  }
  if (pass.inherited || IsWait(call)) return;
  size_t found = 0;
  for (const RenderPassInfo::Use& use : pass.pass_info->subpasses[pass.subpass].uses) {
    for (const PassInstance::Attachment& attachment : pass.attachments) {
      if (attachment.index != use.attachment) continue;
      ++found;
      if (attachment.image.get() == &resource) return;
      break;
    }
  }
  // The images of all attachments are known.
  if (found == pass.pass_info->subpasses[pass.subpass].uses.size())
    Report(call, resource, Fault::kNoAttachment);
}

}  // namespace gpusan::vulkan
