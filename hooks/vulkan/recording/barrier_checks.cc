// Checks barriers against the queue family of their command buffer, and against the render pass
// that they are in.
#include "hooks/vulkan/recording/barrier_checks.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/formats.h"
#include "hooks/vulkan/objects/sync_objects.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

bool IsWait(const VkCall& call) {
  return std::string_view(call.info().name).starts_with("vkCmdWaitEvents");
}
// Whether the command belongs to synchronization2.
bool IsSecond(const VkCall& call) {
  return std::string_view(call.info().name).find('2') != std::string_view::npos;
}

// The end of the name of the valid usage that an access without its stage breaks. `second`: that of
// synchronization2.
std::string AccessVuid(const VkCall& call, BarrierKind kind, bool source, const char* second) {
  const int at = static_cast<int>(kind);
  if (!IsSecond(call)) {
    constexpr const char* kFirst[][2] = {
        {"dstAccessMask-02816", "srcAccessMask-02815"},
        {"pBufferMemoryBarriers-02818", "pBufferMemoryBarriers-02817"},
        {"pImageMemoryBarriers-02820", "pImageMemoryBarriers-02819"}};
    return kFirst[at][source];
  }
  constexpr const char* kStructures[] = {"VkMemoryBarrier2", "VkBufferMemoryBarrier2",
                                         "VkImageMemoryBarrier2"};
  return absl::StrCat(kStructures[at], source ? "-srcAccessMask-" : "-dstAccessMask-", second);
}

}  // namespace

void CheckNewMasks(Recorder& recorder, const GivenMasks& masks, BarrierKind kind) {
  CommandBufferState& state = recorder.state();
  state.checked[1] = state.checked[0];
  state.checked[0] = masks;
  VkCall& call = recorder.call();
  const Vocabulary& words = call.words();
  const VkQueueFlags family = call.device().flags_of(state.family);
  if (const uint64_t stages = UnsupportedStages(masks.source_stages, family); stages != 0)
      [[unlikely]]
    ReportSync(call, *state.object, Fault::kSourceStages, words.Stages(stages));
  if (const uint64_t stages = UnsupportedStages(masks.target_stages, family); stages != 0)
      [[unlikely]]
    ReportSync(call, *state.object, Fault::kTargetStages, words.Stages(stages));
  const auto source = FindUnsupportedAccess(masks.source_stages, masks.source_access);
  if (source.access != 0) [[unlikely]]
    ReportSync(call, *state.object, Fault::kSourceAccess, words.Accesses(source.access),
               AccessVuid(call, kind, true, source.vuid));
  const auto target = FindUnsupportedAccess(masks.target_stages, masks.target_access);
  if (target.access != 0) [[unlikely]]
    ReportSync(call, *state.object, Fault::kTargetAccess, words.Accesses(target.access),
               AccessVuid(call, kind, false, target.vuid));
}

void CheckTransfer(Recorder& recorder, const Resource& resource, uint32_t source_family,
                   uint32_t target_family, const GivenMasks& masks, VkDependencyFlags flags) {
  VkCall& call = recorder.call();
  const uint32_t own = recorder.state().family;
  if (IsWait(call)) {
    // vkCmdWaitEvents2 has no such rule.
    if (call.info().name != std::string_view("vkCmdWaitEvents")) return;
    return ReportSync(call, resource, Fault::kWaitTransfers, absl::StrCat(source_family),
                      absl::StrCat(target_family));
  }
  if (((masks.source_stages | masks.target_stages) & VK_PIPELINE_STAGE_2_HOST_BIT) != 0)
      [[unlikely]] {
    const bool image = resource.kind == ObjectKind::kImage;
    ReportSync(call, resource, Fault::kTransferAtHost, "",
               IsSecond(call) ? (image ? "VkImageMemoryBarrier2-srcStageMask-03854"
                                       : "VkBufferMemoryBarrier2-srcStageMask-03851")
                              : (image ? "vkCmdPipelineBarrier-srcStageMask-09633"
                                       : "vkCmdPipelineBarrier-srcStageMask-09634"));
  }
  const uint32_t families = static_cast<uint32_t>(call.device().families.size());
  const bool known = own < families && source_family < families && target_family < families &&
                     !static_cast<const ScopedState*>(resource.part)->concurrent;
  if (known && own != source_family && own != target_family) [[unlikely]] {
    return ReportSync(call, resource, Fault::kTransferOfOthers,
                      absl::StrCat(source_family, " to family ", target_family), absl::StrCat(own));
  }
  // VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR, which the headers may
  // lack: the masks may name stages of the other queue.
  constexpr VkDependencyFlags kAllStages = 0x20;
  if ((flags & kAllStages) != 0) return;
  GivenMasks half = masks;
  if (own == source_family || !known) half.target_stages = half.target_access = 0;
  if (own == target_family || !known) half.source_stages = half.source_access = 0;
  CheckMasks(recorder, half,
             resource.kind == ObjectKind::kImage ? BarrierKind::kImage : BarrierKind::kBuffer);
}

void ReportLayoutUsage(VkCall& call, const Resource& image, Layout layout) {
  if (ImageOf(image).usage == 0) return;  // unknown
  const LayoutUsage& usage = kLayoutUsages[layout];
  ReportSync(call, image, Fault::kLayoutUsage,
             absl::StrCat(LayoutName(layout), ", but the image was created without ", usage.names),
             usage.vuid);
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
    return ReportSync(call, image, Fault::kBarrierAspect,
                      (lacking & VK_IMAGE_ASPECT_COLOR_BIT) != 0   ? "VK_IMAGE_ASPECT_COLOR_BIT"
                      : (lacking & VK_IMAGE_ASPECT_DEPTH_BIT) != 0 ? "VK_IMAGE_ASPECT_DEPTH_BIT"
                                                                   : "VK_IMAGE_ASPECT_STENCIL_BIT");
  }
  if (state.aspects == kBoth && (aspects & kBoth) != kBoth && aspects != 0 &&
      !call.device().separate_depth_stencil) {
    ReportSync(call, image, Fault::kOneOfDepthStencil,
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
    return ReportSync(call, image, Fault::kBarrierMips,
                      absl::StrCat("mip level ", range.baseMipLevel, " of the ", state.mips),
                      "01486");
  }
  if (range.levelCount != VK_REMAINING_MIP_LEVELS &&
      last(range.baseMipLevel, range.levelCount) >= state.mips) {
    return ReportSync(
        call, image, Fault::kBarrierMips,
        absl::StrCat("mip levels ", range.baseMipLevel, " to ",
                     last(range.baseMipLevel, range.levelCount), " of the ", state.mips),
        "01724");
  }
  if (range.baseArrayLayer >= layers) {
    return ReportSync(call, image, Fault::kBarrierMips,
                      absl::StrCat("array layer ", range.baseArrayLayer, " of the ", layers),
                      "01488");
  }
  if (range.layerCount != VK_REMAINING_ARRAY_LAYERS &&
      last(range.baseArrayLayer, range.layerCount) >= layers) {
    return ReportSync(
        call, image, Fault::kBarrierMips,
        absl::StrCat("array layers ", range.baseArrayLayer, " to ",
                     last(range.baseArrayLayer, range.layerCount), " of the ", layers),
        "01725");
  }
}

void ReportBytes(VkCall& call, const Resource& buffer, uint64_t offset, uint64_t bytes) {
  const bool begin = offset >= buffer.bytes;
  ReportSync(call, buffer, Fault::kBarrierBytes,
             begin ? absl::StrCat("byte ", offset) : absl::StrCat(bytes, " B from byte ", offset),
             begin ? "offset-01187" : "size-01189");
}

void CheckInPass(Recorder& recorder, uint64_t stages) {
  const CommandBufferState& state = recorder.state();
  VkCall& call = recorder.call();
  // A wait for events needs no dependency of a subpass to itself.
  if (IsWait(call)) return;
  // Stages of transfers and extensions count as those of graphics, which queues for graphics
  // support.
  stages &= call.device().dispatches_in_passes ? 0 : VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  if (stages != 0)
    ReportSync(call, *state.object, Fault::kOtherStagesInPass, call.words().Stages(stages));
  if (state.pass.kind == PassInstance::Kind::kRendering) {
    if (!call.device().barriers_in_rendering)
      ReportSync(call, *state.object, Fault::kBarrierInRendering);
    return;
  }
  if (state.pass.pass_info == nullptr) return;
  for (const RenderPassInfo::Dependency& dependency : state.pass.pass_info->dependencies) {
    if (dependency.source == state.pass.subpass && dependency.target == state.pass.subpass) return;
  }
  ReportSync(call, *state.object, Fault::kBarrierOfOtherPass, absl::StrCat(state.pass.subpass));
}

void CheckInPass(Recorder& recorder, const Resource& resource, bool image, Layout old_layout,
                 Layout new_layout) {
  const PassInstance& pass = recorder.state().pass;
  VkCall& call = recorder.call();
  if (pass.pass_info == nullptr) return;
  if (!image) {
    if (!IsWait(call)) ReportSync(call, resource, Fault::kBufferBarrierInPass);
    return;
  }
  if (old_layout != new_layout) {
    return ReportSync(call, resource, Fault::kLayoutInPass, LayoutName(old_layout),
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
    ReportSync(call, resource, Fault::kNoAttachment);
}

}  // namespace gpusan::vulkan
