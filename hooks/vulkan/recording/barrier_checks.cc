// Checks barriers against the queue family of their command buffer, and against the render pass
// that they are in.
#include "hooks/vulkan/recording/barrier_checks.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/call/valid_usage.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/words/formats.h"
#include "hooks/vulkan/words/stage_features.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

bool IsWait(const VkCall& call) {
  return std::string_view(call.info().name).starts_with("vkCmdWaitEvents");
}

// By BarrierKind.
constexpr const char* kStructures[] = {"VkMemoryBarrier2", "VkBufferMemoryBarrier2",
                                       "VkImageMemoryBarrier2"};

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
  return absl::StrCat(kStructures[at], source ? "-srcAccessMask-" : "-dstAccessMask-", second);
}

// The end of the name of the valid usage that stages break which the queue family lacks.
const char* StageVuid(const VkCall& call, BarrierKind kind, bool source) {
  if (!IsSecond(call)) {
    if (IsWait(call)) return source ? "srcStageMask-06459" : "dstStageMask-06460";
    return source ? "srcStageMask-06461" : "dstStageMask-06462";
  }
  if (IsWait(call)) return source ? "srcStageMask-03842" : "dstStageMask-03843";
  if (std::string_view(call.info().name).starts_with("vkCmdSetEvent2"))
    return source ? "srcStageMask-03827" : "dstStageMask-03828";
  if (kind == BarrierKind::kMemory) return source ? "srcStageMask-09673" : "dstStageMask-09674";
  return source ? "srcStageMask-09675" : "dstStageMask-09676";
}

// Reports the stages of the mask that need the first feature which the device lacks.
[[gnu::cold]] void ReportLackingStage(Recorder& recorder, uint64_t stages, BarrierKind kind,
                                      bool source) {
  VkCall& call = recorder.call();
  const uint64_t lacking = stages & call.device().features.lacking_stages;
  const StageFeature* feature = FindStageFeature(lacking);
  if (feature == nullptr) return;
  const char* mask = source ? "-srcStageMask-" : "-dstStageMask-";
  std::string vuid;
  if (IsSecond(call)) {
    vuid = absl::StrCat(kStructures[static_cast<int>(kind)], mask, feature->vuid2);
  } else if (feature->vuid != nullptr) {
    vuid = absl::StrCat(call.info().name, mask, feature->vuid);
  }
  ReportSync(call, *recorder.state().object, Fault::kStageFeature,
             call.words().Stages(lacking & feature->stages), vuid);
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
    ReportSync(call, *state.object, Fault::kSourceStages, words.Stages(stages),
               StageVuid(call, kind, true));
  if (const uint64_t stages = UnsupportedStages(masks.target_stages, family); stages != 0)
      [[unlikely]]
    ReportSync(call, *state.object, Fault::kTargetStages, words.Stages(stages),
               StageVuid(call, kind, false));
  if (!call.device().features.synchronization2 && !IsSecond(call)) {
    if (masks.source_stages == 0) [[unlikely]]
      ReportSync(call, *state.object, Fault::kNoStages, "srcStageMask");
    if (masks.target_stages == 0) [[unlikely]]
      ReportSync(call, *state.object, Fault::kNoStages, "dstStageMask");
  }
  const uint64_t lacking = call.device().features.lacking_stages;
  if ((masks.source_stages & lacking) != 0) [[unlikely]]
    ReportLackingStage(recorder, masks.source_stages, kind, true);
  if ((masks.target_stages & lacking) != 0) [[unlikely]]
    ReportLackingStage(recorder, masks.target_stages, kind, false);
  const auto source = FindUnsupportedAccess(masks.source_stages, masks.source_access);
  if (source.access != 0) [[unlikely]]
    ReportSync(call, *state.object, Fault::kSourceAccess, words.Accesses(source.access),
               AccessVuid(call, kind, true, source.vuid));
  const auto target = FindUnsupportedAccess(masks.target_stages, masks.target_access);
  if (target.access != 0) [[unlikely]]
    ReportSync(call, *state.object, Fault::kTargetAccess, words.Accesses(target.access),
               AccessVuid(call, kind, false, target.vuid));
}

namespace {

// The structure of a barrier of the resource, and a valid usage of it: "VkImageMemoryBarrier-" and
// `of_image`, or "VkBufferMemoryBarrier-" and `of_buffer`.
std::string FamilyVuid(const VkCall& call, const Resource& resource, const char* of_image,
                       const char* of_buffer) {
  const bool image = resource.kind == ObjectKind::kImage;
  return absl::StrCat(image ? "VkImageMemoryBarrier" : "VkBufferMemoryBarrier",
                      IsSecond(call) ? "2-" : "-", image ? of_image : of_buffer);
}

// Adds a finding, and returns false, for a family that the device or its extensions lack.
bool CheckFamily(VkCall& call, const Resource& resource, uint32_t family, bool source) {
  const Device& device = call.device();
  const auto report = [&](std::string text, std::string vuid) {
    ReportSync(call, resource, Fault::kNoSuchFamily, std::move(text), std::move(vuid));
    return false;
  };
  const char* member = source ? "srcQueueFamilyIndex" : "dstQueueFamilyIndex";
  if (family < device.families.size() || family == VK_QUEUE_FAMILY_IGNORED) return true;
  if (family == VK_QUEUE_FAMILY_EXTERNAL) {
    if (device.features.external_families) return true;
    const char* vuid = source ? "None-09097" : "None-09098";
    return report(absl::StrCat(member,
                               " VK_QUEUE_FAMILY_EXTERNAL, which needs Vulkan 1.1 or "
                               "VK_KHR_external_memory"),
                  FamilyVuid(call, resource, vuid, vuid));
  }
  if (family == VK_QUEUE_FAMILY_FOREIGN_EXT) {
    if (device.features.foreign_families) return true;
    const char* vuid = source ? "srcQueueFamilyIndex-09099" : "dstQueueFamilyIndex-09100";
    return report(absl::StrCat(member,
                               " VK_QUEUE_FAMILY_FOREIGN_EXT, which needs "
                               "VK_EXT_queue_family_foreign"),
                  FamilyVuid(call, resource, vuid, vuid));
  }
  // With concurrent sharing the families have no meaning.
  if (static_cast<const ScopedState*>(resource.part)->concurrent || device.families.empty())
    return true;
  return report(absl::StrCat(member, " ", family, ", but the device has ", device.families.size(),
                             " queue families"),
                source ? FamilyVuid(call, resource, "image-09117", "buffer-09095")
                       : FamilyVuid(call, resource, "image-09118", "buffer-09096"));
}

}  // namespace

void ReportTransferFlag(VkCall& call, const Object& object, const char* vuid) {
  ReportSync(call, object, Fault::kTransferFlag, "", vuid);
}

void ReportLacksSync2(VkCall& call, const Object& object, const char* end) {
  ReportSync(call, object, Fault::kLacksFeature, "synchronization2",
             absl::StrCat(std::string(CoreName(call.info().name)), "-synchronization2-", end));
}

void CheckNamedFamilies(VkCall& call, const Resource& resource, uint32_t source_family,
                        uint32_t target_family) {
  if (!static_cast<const ScopedState*>(resource.part)->concurrent || IsSecond(call) ||
      call.device().features.synchronization2)
    return;
  const auto plain = [](uint32_t family) {
    return family != VK_QUEUE_FAMILY_IGNORED && family != VK_QUEUE_FAMILY_EXTERNAL &&
           family != VK_QUEUE_FAMILY_FOREIGN_EXT;
  };
  std::string vuid;
  if (plain(source_family)) {
    vuid = FamilyVuid(call, resource, "None-09053", "None-09050");
  } else if (plain(target_family)) {
    vuid = FamilyVuid(call, resource, "None-09054", "None-09051");
  } else if (source_family != VK_QUEUE_FAMILY_IGNORED && target_family != VK_QUEUE_FAMILY_IGNORED) {
    vuid = FamilyVuid(call, resource, "None-09052", "None-09049");
  } else {
    return;
  }
  ReportSync(call, resource, Fault::kFamiliesOfShared, "", std::move(vuid));
}

void CheckTransfer(Recorder& recorder, const Resource& resource, uint32_t source_family,
                   uint32_t target_family, const GivenMasks& masks, VkDependencyFlags flags) {
  VkCall& call = recorder.call();
  const uint32_t own = recorder.state().family;
  if (!CheckFamily(call, resource, source_family, true) ||
      !CheckFamily(call, resource, target_family, false))
    return;
  CheckNamedFamilies(call, resource, source_family, target_family);
  if (recorder.state().pass.kind != PassInstance::Kind::kNone &&
      resource.kind == ObjectKind::kImage && !IsWait(call)) [[unlikely]] {
    return ReportSync(call, resource, Fault::kTransferInPass, absl::StrCat(source_family),
                      absl::StrCat(target_family));
  }
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
  // Both masks have a meaning for this queue.
  const BarrierKind kind =
      resource.kind == ObjectKind::kImage ? BarrierKind::kImage : BarrierKind::kBuffer;
  if ((flags & kTransferStages) != 0) return CheckMasks(recorder, masks, kind);
  // Stages that every family has, and that make no access.
  GivenMasks half = masks;
  if (own == source_family || !known) {
    half.target_stages = VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT;
    half.target_access = 0;
  }
  if (own == target_family || !known) {
    half.source_stages = VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;
    half.source_access = 0;
  }
  CheckMasks(recorder, half, kind);
}

namespace {

// Layouts of later versions and extensions, as kLayoutUsages.
struct LateLayoutUsage {
  Layout layout;
  LayoutUsage usage;
};
constexpr VkImageUsageFlags kDepthUsage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
constexpr VkImageUsageFlags kDepthReads =
    kDepthUsage | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
constexpr const char* kDepthName = "VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT";
constexpr const char* kDepthReadNames =
    "VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_IMAGE_USAGE_SAMPLED_BIT or "
    "VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT";
// Numbers: what the headers may lack, or declare for beta extensions only.
constexpr LateLayoutUsage kLateLayouts[] = {
    {VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
     {kDepthReads, kDepthReadNames, "oldLayout-01210"}},
    {VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
     {kDepthUsage, kDepthName, "oldLayout-01658"}},
    {VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL,
     {kDepthUsage, kDepthName, "oldLayout-01659"}},
    {VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
     {kDepthUsage, kDepthName, "srcQueueFamilyIndex-04066"}},
    {VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL,
     {kDepthReads, kDepthReadNames, "srcQueueFamilyIndex-04065"}},
    {VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL,
     {kDepthUsage, kDepthName, "srcQueueFamilyIndex-04068"}},
    {VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL,
     {kDepthReads, kDepthReadNames, "srcQueueFamilyIndex-04067"}},
    {VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR,
     {VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR,
      "VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR", "oldLayout-02088"}},
    {1000024000, {0x400, "VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR", "srcQueueFamilyIndex-07121"}},
    {1000024001, {0x800, "VK_IMAGE_USAGE_VIDEO_DECODE_SRC_BIT_KHR", "srcQueueFamilyIndex-07120"}},
    {1000024002, {0x1000, "VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR", "srcQueueFamilyIndex-07122"}},
    {1000299000, {0x2000, "VK_IMAGE_USAGE_VIDEO_ENCODE_DST_BIT_KHR", "srcQueueFamilyIndex-07124"}},
    {1000299001, {0x4000, "VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR", "srcQueueFamilyIndex-07123"}},
    {1000299002, {0x8000, "VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR", "srcQueueFamilyIndex-07125"}},
    {1000339000,
     {0x80000, "VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT", "srcQueueFamilyIndex-07006"}},
    {1000553000,
     {0x6000000, "VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR",
      "srcQueueFamilyIndex-10287"}}};

void ReportLayoutUsage(VkCall& call, const Resource& image, Layout layout,
                       const LayoutUsage& usage) {
  ReportSync(call, image, Fault::kLayoutUsage,
             absl::StrCat(LayoutName(layout), ", but the image was created without ", usage.names),
             usage.vuid);
}

// Adds a finding, and returns true, for a layout whose feature the device lacks.
bool LacksLayout(VkCall& call, const Resource& image, Layout layout, bool is_new) {
  const Device& device = call.device();
  const char* vuid = nullptr;
  const char* feature = "";
  if (layout == kZeroInitialized && !is_new && !device.features.zero_initialized) {
    vuid = "oldLayout-10767";
    feature = "zeroInitializeDeviceMemory";
  } else if (layout == kRenderingLocalRead && !device.barriers_in_rendering) {
    vuid = is_new ? "dynamicRenderingLocalRead-09552" : "dynamicRenderingLocalRead-09551";
    feature = "dynamicRenderingLocalRead";
  } else if ((layout == VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL ||
              layout == VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL) &&
             !device.features.synchronization2) {
    vuid = is_new ? "synchronization2-07794" : "synchronization2-07793";
    feature = "synchronization2";
  }
  if (vuid == nullptr) return false;
  ReportSync(call, image, Fault::kLayoutFeature,
             absl::StrCat(LayoutName(layout), ", but the device lacks the feature ", feature),
             vuid);
  return true;
}

}  // namespace

void CheckLateLayout(VkCall& call, const Resource& image, Layout layout, bool is_new) {
  if (LacksLayout(call, image, layout, is_new)) return;
  if (is_new && (layout == VK_IMAGE_LAYOUT_UNDEFINED || layout == VK_IMAGE_LAYOUT_PREINITIALIZED))
    return ReportSync(call, image, Fault::kNewLayout, LayoutName(layout));
  const uint32_t has = ImageOf(image).usage;
  if (has == 0) return;  // unknown
  if (layout < std::size(kLayoutUsages) && kLayoutUsages[layout].needed != 0)
    return ReportLayoutUsage(call, image, layout, kLayoutUsages[layout]);
  for (const LateLayoutUsage& late : kLateLayouts) {
    if (late.layout == layout && (has & late.usage.needed) == 0)
      return ReportLayoutUsage(call, image, layout, late.usage);
  }
}

namespace {

// The same as CheckAspects for an image with planes.
void CheckPlanes(VkCall& call, const ImageState& state, const Resource& image,
                 VkImageAspectFlags aspects) {
  const VkImageAspectFlags fitting = aspects & state.aspects;
  if ((state.flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0) {
    if (fitting == 0 && aspects != 0)
      ReportSync(call, image, Fault::kBarrierAspect, "an aspect", "image-01672");
  } else if (aspects != VK_IMAGE_ASPECT_COLOR_BIT && aspects != 0) {
    ReportSync(call, image, Fault::kPlaneOfWhole, fitting != 0 ? "planes" : "aspects");
  }
}

// Adds a finding if the image lacks an aspect of the range, or if the range has only one of depth
// and stencil that must change together.
void CheckAspects(VkCall& call, const ImageState& state, const Resource& image,
                  VkImageAspectFlags aspects) {
  constexpr VkImageAspectFlags kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  if ((state.aspects & VK_IMAGE_ASPECT_PLANE_0_BIT) != 0) [[unlikely]]
    return CheckPlanes(call, state, image, aspects);
  const bool color = state.aspects == VK_IMAGE_ASPECT_COLOR_BIT;
  const VkImageAspectFlags lacking =
      color ? aspects & ~VK_IMAGE_ASPECT_COLOR_BIT
            : aspects & ~state.aspects & (kBoth | VK_IMAGE_ASPECT_COLOR_BIT);
  if (!color && (state.aspects & kBoth) == 0) return;
  if (lacking != 0) {
    return ReportSync(call, image, Fault::kBarrierAspect,
                      (lacking & VK_IMAGE_ASPECT_COLOR_BIT) != 0     ? "VK_IMAGE_ASPECT_COLOR_BIT"
                      : (lacking & VK_IMAGE_ASPECT_DEPTH_BIT) != 0   ? "VK_IMAGE_ASPECT_DEPTH_BIT"
                      : (lacking & VK_IMAGE_ASPECT_STENCIL_BIT) != 0 ? "VK_IMAGE_ASPECT_STENCIL_BIT"
                                                                     : "an aspect",
                      color                                              ? "image-09241"
                      : state.aspects != kBoth || (aspects & kBoth) != 0 ? "subresourceRange-09601"
                      : call.device().separate_depth_stencil             ? "image-03319"
                                                                         : "image-03320");
  }
  if (state.aspects == kBoth && (aspects & kBoth) != kBoth && aspects != 0 &&
      !call.device().separate_depth_stencil) {
    ReportSync(call, image, Fault::kOneOfDepthStencil,
               (aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0 ? "VK_IMAGE_ASPECT_DEPTH_BIT"
                                                          : "VK_IMAGE_ASPECT_STENCIL_BIT");
  }
}

}  // namespace

void CheckZeroRange(VkCall& call, const Resource& image, const VkImageSubresourceRange& range) {
  const ImageState& state = ImageOf(image);
  // The slices of a 3D image may be its layers.
  const bool layers = state.is_3d || range.layerCount == VK_REMAINING_ARRAY_LAYERS ||
                      range.layerCount >= state.layers;
  const bool mips = range.levelCount == VK_REMAINING_MIP_LEVELS || range.levelCount >= state.mips;
  const bool aspects = (state.aspects & ~range.aspectMask) == 0 ||
                       (range.aspectMask & VK_IMAGE_ASPECT_COLOR_BIT) != 0;
  if (range.baseMipLevel != 0 || range.baseArrayLayer != 0 || !mips || !layers || !aspects)
    ReportSync(call, image, Fault::kZeroPart);
}

void ReportRange(VkCall& call, const Resource& image, const VkImageSubresourceRange& range) {
  const ImageState& state = ImageOf(image);
  if (range.aspectMask != state.aspects) CheckAspects(call, state, image, range.aspectMask);
  if (range.levelCount == 0 || range.layerCount == 0) {
    const bool levels = range.levelCount == 0;
    return ReportSync(call, image, Fault::kEmptyRange, levels ? "mip level" : "array layer",
                      levels ? "levelCount-01720" : "layerCount-01721");
  }
  // The slices of a 3D image may be its layers (VK_KHR_maintenance9).
  const bool slices = state.is_3d && call.device().slice_barriers;
  const uint32_t layers =
      slices ? state.ExtentOf(std::min(range.baseMipLevel, state.mips - 1)).depth : state.layers;
  const auto last = [](uint32_t first, uint32_t count) { return uint64_t{first} + count - 1; };
  if (range.baseMipLevel >= state.mips) {
    return ReportSync(call, image, Fault::kBarrierMips,
                      absl::StrCat("mip level ", range.baseMipLevel, " of the ", state.mips),
                      "subresourceRange-01486");
  }
  if (range.levelCount != VK_REMAINING_MIP_LEVELS &&
      last(range.baseMipLevel, range.levelCount) >= state.mips) {
    return ReportSync(
        call, image, Fault::kBarrierMips,
        absl::StrCat("mip levels ", range.baseMipLevel, " to ",
                     last(range.baseMipLevel, range.levelCount), " of the ", state.mips),
        "subresourceRange-01724");
  }
  if (range.baseArrayLayer >= layers) {
    return ReportSync(
        call, image, Fault::kBarrierMips,
        absl::StrCat(slices ? "slice " : "array layer ", range.baseArrayLayer, " of the ", layers),
        slices ? "maintenance9-10798" : "subresourceRange-01488");
  }
  if (range.layerCount != VK_REMAINING_ARRAY_LAYERS &&
      last(range.baseArrayLayer, range.layerCount) >= layers) {
    return ReportSync(
        call, image, Fault::kBarrierMips,
        absl::StrCat(slices ? "slices " : "array layers ", range.baseArrayLayer, " to ",
                     last(range.baseArrayLayer, range.layerCount), " of the ", layers),
        slices ? "maintenance9-10800" : "subresourceRange-01725");
  }
}

void ReportBytes(VkCall& call, const Resource& buffer, uint64_t offset, uint64_t bytes) {
  const bool begin = offset >= buffer.bytes;
  ReportSync(call, buffer, Fault::kBarrierBytes,
             begin ? absl::StrCat("byte ", offset) : absl::StrCat(bytes, " B from byte ", offset),
             begin        ? "offset-01187"
             : bytes == 0 ? "size-01188"
                          : "size-01189");
}

bool CheckSelfDependency(Recorder& recorder, const GivenMasks& masks, VkDependencyFlags flags) {
  const PassInstance& pass = recorder.state().pass;
  if (pass.pass_info == nullptr) return true;
  constexpr VkDependencyFlags kNarrowing =
      VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT;
  // Another check reports this stage.
  constexpr uint64_t kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  const ScopeBarrier given = Expand(masks);
  const char* lacking = nullptr;
  for (const RenderPassInfo::Dependency& dependency : pass.pass_info->dependencies) {
    if (dependency.source != pass.subpass || dependency.target != pass.subpass) continue;
    const ScopeBarrier allowed = Expand(dependency.masks);
    if ((given.source_order & ~allowed.source_order & ~kCompute) != 0 ||
        (given.target_order & ~allowed.target_order & ~kCompute) != 0) {
      lacking = "stages";
    } else if ((given.source_access & ~allowed.source_access) != 0 ||
               (given.target_access & ~allowed.target_access) != 0) {
      lacking = "accesses";
    } else if ((dependency.flags & ~flags & kNarrowing) != 0) {
      lacking = "dependency flags";
    } else {
      return true;
    }
  }
  // Without a dependency the other check has reported the barrier.
  if (lacking == nullptr) return true;
  ReportSync(recorder.call(), *recorder.state().object, Fault::kBarrierBeyondPass,
             absl::StrCat(pass.subpass), lacking);
  return false;
}

void ReportLayoutAspects(VkCall& call, const Resource& image, Layout layout,
                         VkImageAspectFlags aspects) {
  const bool depth = layout == VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL ||
                     layout == VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
  const VkImageAspectFlags other = depth ? VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_DEPTH_BIT;
  if ((aspects & other) == 0) return;
  ReportSync(
      call, image, Fault::kLayoutOfOtherAspect,
      absl::StrCat(LayoutName(layout), ", and names the aspect of ", depth ? "stencil" : "depth"),
      depth ? "08703" : "08702");
}

void CheckInPass(Recorder& recorder, uint64_t stages) {
  const CommandBufferState& state = recorder.state();
  VkCall& call = recorder.call();
  // A wait for events needs no dependency of a subpass to itself.
  if (IsWait(call)) return;
  const uint64_t all = stages;
  // Stages of transfers and extensions count as those of graphics, which queues for graphics
  // support.
  stages &= call.device().dispatches_in_passes ? 0 : VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  if (stages != 0)
    ReportSync(call, *state.object, Fault::kOtherStagesInPass, call.words().Stages(stages));
  if (state.pass.kind == PassInstance::Kind::kRendering) {
    // Stages of extensions, and those that stand for no or for several stages, are not checked.
    constexpr uint64_t kOthers =
        VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT |
        VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
        VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT |
        VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT |
        VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT |
        VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT |
        VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT |
        VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;
    if (!call.device().barriers_in_rendering) {
      ReportSync(call, *state.object, Fault::kBarrierInRendering);
    } else if ((all & kOthers) != 0) {
      ReportSync(call, *state.object, Fault::kOtherStagesInRendering,
                 call.words().Stages(all & kOthers));
    }
    return;
  }
  if (state.pass.pass_info == nullptr) return;
  for (const RenderPassInfo::Dependency& dependency : state.pass.pass_info->dependencies) {
    if (dependency.source == state.pass.subpass && dependency.target == state.pass.subpass) return;
  }
  ReportSync(call, *state.object, Fault::kBarrierOfOtherPass, absl::StrCat(state.pass.subpass));
}

namespace {

// Checks a barrier of an image inside of dynamic rendering, which the features of the device allow.
void CheckInRendering(VkCall& call, const PassInstance& pass, const Resource& image,
                      Layout old_layout, Layout new_layout) {
  if (old_layout != new_layout) {
    return ReportSync(call, image, Fault::kLayoutInPass, LayoutName(old_layout),
                      LayoutName(new_layout));
  }
  for (const PassInstance::Attachment& attachment : pass.attachments) {
    if (attachment.image.get() != &image) continue;
    if (attachment.layout != kRenderingLocalRead &&
        attachment.layout != Layout{VK_IMAGE_LAYOUT_GENERAL}) {
      return ReportSync(call, image, Fault::kNotLocalRead, LayoutName(attachment.layout),
                        "image-09555");
    }
    // The layouts of barriers of synchronization2 are ignored if they are equal.
    if (!IsSecond(call) && attachment.layout != old_layout) {
      return ReportSync(
          call, image, Fault::kNotLocalRead,
          absl::StrCat(LayoutName(attachment.layout), ", as in ", LayoutName(old_layout)),
          "oldLayout-10759");
    }
  }
}

}  // namespace

void CheckInPass(Recorder& recorder, const Resource& resource, bool image, Layout old_layout,
                 Layout new_layout) {
  const PassInstance& pass = recorder.state().pass;
  VkCall& call = recorder.call();
  if (pass.kind == PassInstance::Kind::kRendering && image && !IsWait(call) &&
      call.device().barriers_in_rendering)
    return CheckInRendering(call, pass, resource, old_layout, new_layout);
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
      if (attachment.image.get() == &resource) {
        // The stencil of a depth image may have a layout of its own. Synchronization2 ignores equal
        // layouts.
        if (!IsSecond(call) && !attachment.depth && use.layout != old_layout) [[unlikely]]
          ReportSync(call, resource, Fault::kOtherLayoutInPass, LayoutName(old_layout),
                     LayoutName(use.layout));
        return;
      }
      break;
    }
  }
  // The images of all attachments are known.
  if (found == pass.pass_info->subpasses[pass.subpass].uses.size())
    ReportSync(call, resource, Fault::kNoAttachment);
}

}  // namespace gpusan::vulkan
