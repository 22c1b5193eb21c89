// Checks framebuffers, pipelines and secondary command buffers against render passes and dynamic
// rendering.
#include "hooks/vulkan/recording/pass_checks.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/memory/images.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/recording/barrier_checks.h"
#include "hooks/vulkan/words/formats.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

// Adds a finding if the view lacks the usage of an attachment. `vuid`: without "VUID-".
void CheckUsage(VkCall& call, const ImageViewState& view, const Resource& image,
                VkImageUsageFlags needed, const char* name, const char* vuid) {
  const uint32_t usage = ImageOf(image).usage;
  if (usage == 0 || view.usage == 0 || (usage & view.usage & needed) != 0) [[likely]]
    return;
  ReportSync(call, image,
             (usage & needed) != 0 ? Fault::kAttachmentViewUsage : Fault::kAttachmentUsage, name,
             vuid);
}

// Checks format and samples of a view against the description of its attachment. `vuids`: of both,
// without "VUID-".
void CheckView(VkCall& call, const RenderPassInfo::Attachment& attachment,
               const ImageViewState& view, const Resource& image, const char* const (&vuids)[2]) {
  const ImageState& state = ImageOf(image);
  if (view.format != attachment.format) {
    ReportSync(call, image, Fault::kFrameAttachment,
               absl::StrCat(FormatName(view.format), ", but the render pass has ",
                            FormatName(attachment.format)),
               vuids[0]);
  } else if (state.samples != attachment.samples && !call.device().mixes_samples) {
    ReportSync(
        call, image, Fault::kFrameAttachment,
        absl::StrCat(static_cast<uint32_t>(state.samples), " samples, but the render pass has ",
                     static_cast<uint32_t>(attachment.samples)),
        vuids[1]);
  }
}

// Adds a finding if the view has several mip levels.
void CheckLevels(VkCall& call, const ImageViewState& view, const Resource& image,
                 const char* vuid) {
  if (view.part.mips > 1) [[unlikely]]
    ReportSync(call, image, Fault::kFrameView, absl::StrCat(view.part.mips, " mip levels"), vuid);
}

void CheckSwizzle(VkCall& call, const ImageViewState& view, const Resource& image,
                  const char* vuid) {
  if (view.swizzled) [[unlikely]]
    ReportSync(call, image, Fault::kSwizzledView, "", vuid);
}

// Checks that the view covers the framebuffer.
void CheckExtent(VkCall& call, const VkFramebufferCreateInfo& info, const RenderPassInfo& pass_info,
                 const ImageViewState& view, const Resource& image) {
  const ImageState& state = ImageOf(image);
  const VkExtent3D extent = state.ExtentOf(view.part.first_mip);
  const auto report = [&](uint32_t has, const char* what, uint32_t needed, const char* vuid) {
    ReportSync(call, image, Fault::kFrameTooLarge,
               absl::StrCat(has, " ", what, ", but the framebuffer has ", needed), vuid);
  };
  if (extent.width < info.width) return report(extent.width, "columns", info.width, "04533");
  if (extent.height < info.height) return report(extent.height, "rows", info.height, "04534");
  // The slices of a 3D image may be its layers.
  if (state.is_3d) return;
  if (pass_info.views == 0) {
    if (view.part.layers < info.layers) report(view.part.layers, "layers", info.layers, "04535");
    return;
  }
  // With multiview the view mask names the layers.
  const auto needed = static_cast<uint32_t>(std::bit_width(pass_info.views));
  if (view.part.layers < needed) [[unlikely]] {
    ReportSync(
        call, image, Fault::kFrameView,
        absl::StrCat(view.part.layers, " layers, but the render pass draws to view ", needed - 1),
        "VkFramebufferCreateInfo-renderPass-04536");
  }
}

// Adds a finding, and returns false, if the area is not inside of `width` columns and `height`
// rows, or if it is empty. `vuids`: for negative and too large offsets and no extent, of columns
// and rows.
bool CheckArea(VkCall& call, const Object& object, const VkRect2D& area, uint32_t width,
               uint32_t height, const char* const (&vuids)[2][3]) {
  const int32_t offsets[] = {area.offset.x, area.offset.y};
  const uint32_t extents[] = {area.extent.width, area.extent.height};
  const uint32_t sizes[] = {width, height};
  constexpr const char* kNames[] = {"column", "row"};
  for (int axis = 0; axis < 2; ++axis) {
    const int64_t end = int64_t{offsets[axis]} + extents[axis];
    if (extents[axis] == 0) [[unlikely]] {
      ReportSync(call, object, Fault::kAreaEmpty, absl::StrCat(kNames[axis], "s"), vuids[axis][2]);
      return false;
    }
    if (offsets[axis] >= 0 && end <= sizes[axis]) [[likely]]
      continue;
    const bool negative = offsets[axis] < 0;
    ReportSync(call, object, Fault::kAreaOutside,
               absl::StrCat(kNames[axis], " ", negative ? offsets[axis] : end - 1, " of the ",
                            sizes[axis], " ", kNames[axis], "s"),
               vuids[axis][!negative]);
    return false;
  }
  return true;
}

// Whether the render area is the only one, and in the coordinates of the attachments.
bool IsPlainArea(const void* chain) {
  for (const auto* at = static_cast<const VkBaseInStructure*>(chain); at != nullptr;
       at = at->pNext) {
    if (at->sType == VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO ||
        at->sType == VK_STRUCTURE_TYPE_RENDER_PASS_TRANSFORM_BEGIN_INFO_QCOM)
      return false;
  }
  return true;
}

// The ends of the valid usages of two lists of attachments that must be equal; "": not checked.
struct FormatVuids {
  const char *count, *color, *no_color, *depth, *no_depth, *stencil, *no_stencil, *views;
  const char *samples, *depth_samples, *stencil_samples;
};
// A pipeline with a depth format may draw where pDepthAttachment is a null pointer.
constexpr FormatVuids kOfDraw = {"colorAttachmentCount-06179",
                                 "dynamicRenderingUnusedAttachments-08910",
                                 "dynamicRenderingUnusedAttachments-08912",
                                 "dynamicRenderingUnusedAttachments-08914",
                                 "",
                                 "dynamicRenderingUnusedAttachments-08917",
                                 "",
                                 "viewMask-06178",
                                 "multisampledRenderToSingleSampled-07285",
                                 "multisampledRenderToSingleSampled-07286",
                                 "multisampledRenderToSingleSampled-07287"};
// With the feature dynamicRenderingUnusedAttachments.
constexpr FormatVuids kOfDrawUnused = {"",
                                       "dynamicRenderingUnusedAttachments-08911",
                                       "",
                                       "dynamicRenderingUnusedAttachments-08915",
                                       "",
                                       "dynamicRenderingUnusedAttachments-08918",
                                       "",
                                       "viewMask-06178",
                                       "multisampledRenderToSingleSampled-07285",
                                       "multisampledRenderToSingleSampled-07286",
                                       "multisampledRenderToSingleSampled-07287"};
// As for draws, an attachment may be missing where its pointer is null.
constexpr FormatVuids kOfExecute = {"colorAttachmentCount-06027",
                                    "imageView-06028",
                                    "imageView-07606",
                                    "pDepthAttachment-06029",
                                    "",
                                    "pStencilAttachment-06030",
                                    "",
                                    "viewMask-06031",
                                    "pNext-06035",
                                    "pNext-06036",
                                    "pNext-06037"};

// Reports the first difference between `given`, which belongs to `object`, and the attachments of
// the rendering.
void CompareFormats(VkCall& call, const Object& object, Fault fault, const RenderingFormats& given,
                    const RenderingFormats& rendering, const FormatVuids& vuids) {
  constexpr size_t kNoIndex = ~size_t{0};
  const bool unused = call.device().unused_attachments;
  const auto report = [&](std::string text, const char* vuid) {
    ReportSync(call, object, fault, std::move(text), vuid);
    return true;
  };
  const bool draws = fault == Fault::kPipelineFormats;
  const auto name = [](VkFormat format) {
    return format == VK_FORMAT_UNDEFINED ? std::string("none") : FormatName(format);
  };
  const auto differ = [&](VkFormat has, VkFormat needed, const char* what, size_t index,
                          const char* vuid, const char* vuid_of_none) {
    if (has == needed) return false;
    const bool none = has == VK_FORMAT_UNDEFINED || needed == VK_FORMAT_UNDEFINED;
    const char* broken = needed == VK_FORMAT_UNDEFINED ? vuid_of_none : vuid;
    if ((none && unused) || *broken == '\0') return false;
    const std::string at = index != kNoIndex ? absl::StrCat(" ", index) : "";
    return report(absl::StrCat(what, at, " ", name(has), ", but the rendering has ", name(needed)),
                  broken);
  };
  if (given.colors.size() != rendering.colors.size() && !unused) {
    report(absl::StrCat(given.colors.size(), " color attachments, but the rendering has ",
                        rendering.colors.size()),
           vuids.count);
    return;
  }
  const size_t count = std::min(given.colors.size(), rendering.colors.size());
  for (size_t i = 0; i < count; ++i) {
    if (differ(given.colors[i], rendering.colors[i], "color attachment", i, vuids.color,
               vuids.no_color))
      return;
  }
  if (differ(given.depth, rendering.depth, "the depth attachment", kNoIndex, vuids.depth,
             vuids.no_depth) ||
      differ(given.stencil, rendering.stencil, "the stencil attachment", kNoIndex, vuids.stencil,
             vuids.no_stencil))
    return;
  if (given.views != rendering.views) {
    if (draws) fault = Fault::kPipelineOtherViews;
    report(absl::StrCat("view mask ", given.views, ", but the rendering has ", rendering.views),
           vuids.views);
  } else if (given.samples != 0 && rendering.samples != 0 && given.samples != rendering.samples) {
    const bool color = std::ranges::any_of(
        rendering.colors, [](VkFormat format) { return format != VK_FORMAT_UNDEFINED; });
    if (draws) fault = Fault::kPipelineOtherSamples;
    report(absl::StrCat(given.samples, " samples, but the attachments have ", rendering.samples),
           color                                    ? vuids.samples
           : rendering.depth != VK_FORMAT_UNDEFINED ? vuids.depth_samples
                                                    : vuids.stencil_samples);
  }
}

}  // namespace

void CheckColorUsage(VkCall& call, const ImageViewState& view, const Resource& image,
                     const char* vuid) {
  CheckUsage(call, view, image, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
             "VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT", vuid);
}
void CheckDepthUsage(VkCall& call, const ImageViewState& view, const Resource& image,
                     const char* vuid) {
  CheckUsage(call, view, image, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
             "VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT", vuid);
}

void CheckFramebuffer(VkCall& call, const VkFramebufferCreateInfo& info) {
  auto* object = static_cast<PlainObject*>(call.tracker().objects().Find(
      Api::kVulkan, ObjectKind::kRenderPass, HandleOf(info.renderPass)));
  const auto* pass = DescriptionOf<RenderPassState>(object);
  if (pass == nullptr || !object->live()) return;
  const RenderPassInfo& pass_info = *pass->pass_info;
  const size_t planned = pass_info.attachments.size();
  if (info.attachmentCount != planned) [[unlikely]] {
    return ReportSync(call, *object, Fault::kFrameCount, absl::StrCat(info.attachmentCount),
                      absl::StrCat(planned));
  }
  if (pass_info.views != 0 && info.layers != 1) [[unlikely]]
    ReportSync(call, *object, Fault::kFrameLayers, absl::StrCat(info.layers));
  absl::InlinedVector<const ImageViewState*, 8> views(planned);
  absl::InlinedVector<const Resource*, 8> images(planned);
  for (uint32_t i = 0; i < planned; ++i) {
    const auto* view = static_cast<const PlainObject*>(call.tracker().objects().Find(
        Api::kVulkan, ObjectKind::kImageView, HandleOf(info.pAttachments[i])));
    images[i] = ImageOfView(view, &views[i]);
    if (images[i] == nullptr || !pass_info.attachments[i].used) continue;
    constexpr const char* kVuids[2] = {"VkFramebufferCreateInfo-pAttachments-00880",
                                       "VkFramebufferCreateInfo-pAttachments-00881"};
    CheckView(call, pass_info.attachments[i], *views[i], *images[i], kVuids);
    CheckLevels(call, *views[i], *images[i], "VkFramebufferCreateInfo-pAttachments-00883");
    CheckSwizzle(call, *views[i], *images[i], "VkFramebufferCreateInfo-pAttachments-00884");
    CheckExtent(call, info, pass_info, *views[i], *images[i]);
  }
  for (const RenderPassInfo::Subpass& subpass : pass_info.subpasses) {
    for (const RenderPassInfo::Use& use : subpass.uses) {
      const Resource* image = images[use.attachment];
      if (image == nullptr) continue;
      const ImageViewState& view = *views[use.attachment];
      if (use.color_slot != RenderPassInfo::Use::kNoSlot)
        CheckColorUsage(call, view, *image, "VkFramebufferCreateInfo-pAttachments-00877");
      if (use.depth)
        CheckDepthUsage(call, view, *image, "VkFramebufferCreateInfo-pAttachments-02633");
      if (use.resolved && pass_info.attachments[use.attachment].depth)
        CheckDepthUsage(call, view, *image, "VkFramebufferCreateInfo-pAttachments-02634");
      if (use.input) {
        CheckUsage(call, view, *image, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
                   "VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT",
                   "VkFramebufferCreateInfo-pAttachments-00879");
      }
    }
  }
}

void CheckBegin(VkCall& call, const VkRenderPassBeginInfo& info, const PlainObject& pass,
                const RenderPassInfo& pass_info, const PlainObject& frame,
                const FramebufferState& framebuffer) {
  if (framebuffer.compatibility != 0 && framebuffer.compatibility != pass_info.compatibility)
      [[unlikely]]
    ReportSync(call, frame, Fault::kFrameOfOtherPass);
  if (info.clearValueCount < pass_info.clear_values) [[unlikely]] {
    ReportSync(call, pass, Fault::kFewClearValues, absl::StrCat(info.clearValueCount),
               absl::StrCat(pass_info.clear_values - 1));
  }
  constexpr const char* kVuids[2][3] = {
      {"VkRenderPassBeginInfo-pNext-02850", "VkRenderPassBeginInfo-pNext-02852",
       "VkRenderPassBeginInfo-None-08996"},
      {"VkRenderPassBeginInfo-pNext-02851", "VkRenderPassBeginInfo-pNext-02853",
       "VkRenderPassBeginInfo-None-08997"}};
  if (IsPlainArea(info.pNext))
    CheckArea(call, frame, info.renderArea, framebuffer.width, framebuffer.height, kVuids);
  const auto* given = FindInChain<VkRenderPassAttachmentBeginInfo>(
      info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
  const uint32_t views = given != nullptr ? given->attachmentCount : 0;
  const size_t planned = pass_info.attachments.size();
  if (views != (framebuffer.views.empty() ? planned : 0)) [[unlikely]] {
    ReportSync(call, frame, Fault::kGivenViews, absl::StrCat(views),
               framebuffer.views.empty() ? "03208" : "03207");
  }
}

VkRect2D PlainArea(const VkRect2D& area, const void* chain) {
  return IsPlainArea(chain) ? area : VkRect2D();
}

void CheckGivenView(VkCall& call, const RenderPassInfo::Attachment& attachment,
                    const ImageViewState& view, const Resource& image) {
  constexpr const char* kVuids[2] = {"VkRenderPassBeginInfo-framebuffer-03216",
                                     "VkRenderPassBeginInfo-framebuffer-09047"};
  CheckView(call, attachment, view, image, kVuids);
  CheckLevels(call, view, image, "VkRenderPassAttachmentBeginInfo-pAttachments-03218");
  CheckSwizzle(call, view, image, "VkRenderPassAttachmentBeginInfo-pAttachments-03219");
}

void CheckPlanned(VkCall& call, const FramebufferState::Planned& planned,
                  const ImageViewState& view, const Resource& image) {
  const ImageState& state = ImageOf(image);
  const auto report = [&](const std::string& has, const std::string& needed, const char* vuid) {
    ReportSync(call, image, Fault::kPlannedImage,
               absl::StrCat(has, ", but the framebuffer was created for ", needed), vuid);
  };
  // The usage of an image of a swapchain, that of depth beside stencil, and a usage above 32 bits
  // are not known.
  constexpr uint32_t kUnknown = uint32_t{1} << 31;
  if (!state.foreign && state.usage != 0 && (state.aspects & VK_IMAGE_ASPECT_STENCIL_BIT) == 0 &&
      planned.usage != state.usage && ((planned.usage | state.usage) & kUnknown) == 0)
    return report(ImageUsageText(state.usage), ImageUsageText(planned.usage), "04627");
  const VkExtent3D extent = state.ExtentOf(view.part.first_mip);
  if (planned.width != extent.width)
    return report(absl::StrCat("the width ", extent.width), absl::StrCat(planned.width), "03211");
  if (planned.height != extent.height)
    return report(absl::StrCat("the height ", extent.height), absl::StrCat(planned.height),
                  "03212");
  if (!state.is_3d && planned.layers != view.part.layers)
    report(absl::StrCat(view.part.layers, " layers"), absl::StrCat(planned.layers), "03213");
}

void CheckReadOnly(VkCall& call, uint32_t read_only, const PlainObject& object,
                   const PipelineState& pipeline, const Bindings& bindings) {
  const uint32_t written = pipeline.WritesOf(bindings) & read_only;
  if (written == 0) return;
  const bool depth = (written & VK_IMAGE_ASPECT_DEPTH_BIT) != 0;
  ReportSync(call, object, Fault::kWritesReadOnly, depth ? "depth" : "stencil",
             depth ? "06886" : "06887");
}

namespace {

// Adds a finding if the clear names an aspect that the depth and stencil attachment of the subpass
// lacks.
void CheckClearedAspects(VkCall& call, const CommandBufferState& state,
                         VkImageAspectFlags aspects) {
  const PassInstance& pass = state.pass;
  if (pass.pass_info == nullptr) return;
  for (const RenderPassInfo::Use& use : pass.pass_info->subpasses[pass.subpass].uses) {
    if (!use.depth) continue;
    const VkImageAspectFlags lacking =
        aspects & ~AspectsOf(pass.pass_info->attachments[use.attachment].format);
    if ((lacking & VK_IMAGE_ASPECT_DEPTH_BIT) != 0) [[unlikely]]
      ReportSync(call, *state.object, Fault::kClearsNoAspect, "depth", "07884");
    if ((lacking & VK_IMAGE_ASPECT_STENCIL_BIT) != 0) [[unlikely]]
      ReportSync(call, *state.object, Fault::kClearsNoAspect, "stencil", "07885");
    return;
  }
}

}  // namespace

void CheckClears(VkCall& call, const CommandBufferState& state, uint32_t count,
                 const VkClearAttachment* attachments, uint32_t rect_count,
                 const VkClearRect* rects) {
  const PassInstance& pass = state.pass;
  for (uint32_t i = 0; i < count; ++i) {
    constexpr VkImageAspectFlags kDepthStencil =
        VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    if (const VkImageAspectFlags cleared = attachments[i].aspectMask & kDepthStencil; cleared != 0)
      CheckClearedAspects(call, state, cleared);
  }
  const bool rendering = pass.kind == PassInstance::Kind::kRendering;
  // The formats of a rendering are known if its compatibility is.
  const size_t colors = pass.formats.colors.size();
  for (uint32_t i = 0; i < count && rendering && pass.compatibility != 0; ++i) {
    const VkClearAttachment& clear = attachments[i];
    if ((clear.aspectMask & VK_IMAGE_ASPECT_COLOR_BIT) != 0 && clear.colorAttachment >= colors &&
        clear.colorAttachment != VK_ATTACHMENT_UNUSED) [[unlikely]] {
      ReportSync(call, *state.object, Fault::kClearsNoAttachment,
                 absl::StrCat(clear.colorAttachment), absl::StrCat(colors));
    }
  }
  const bool multiview =
      rendering ? pass.formats.views != 0 : pass.pass_info != nullptr && pass.pass_info->views != 0;
  const auto inside = [](int32_t offset, uint32_t extent, int32_t area, uint32_t area_extent) {
    return offset >= area && int64_t{offset} + extent <= int64_t{area} + area_extent;
  };
  for (uint32_t i = 0; i < rect_count; ++i) {
    const VkRect2D& rect = rects[i].rect;
    const uint64_t end = uint64_t{rects[i].baseArrayLayer} + rects[i].layerCount;
    if (rect.extent.width == 0 || rect.extent.height == 0 || rects[i].layerCount == 0)
        [[unlikely]] {
      ReportSync(call, *state.object, Fault::kClearsNothing,
                 rects[i].layerCount == 0 ? "layers"
                 : rect.extent.width == 0 ? "columns"
                                          : "rows",
                 rects[i].layerCount == 0 ? "layerCount-01934"
                 : rect.extent.width == 0 ? "rect-02682"
                                          : "rect-02683");
      continue;
    }
    if (pass.layers != 0 && end > pass.layers) [[unlikely]] {
      ReportSync(call, *state.object, Fault::kClearsOtherLayers,
                 absl::StrCat(rects[i].layerCount, " layers from layer ", rects[i].baseArrayLayer),
                 absl::StrCat(pass.layers, " layers"));
    }
    if (multiview && (rects[i].baseArrayLayer != 0 || rects[i].layerCount != 1)) [[unlikely]] {
      ReportSync(call, *state.object, Fault::kClearsLayers,
                 absl::StrCat(rects[i].layerCount, " layers from layer ", rects[i].baseArrayLayer));
    }
    if (pass.area.extent.width == 0 ||
        (inside(rect.offset.x, rect.extent.width, pass.area.offset.x, pass.area.extent.width) &&
         inside(rect.offset.y, rect.extent.height, pass.area.offset.y, pass.area.extent.height)))
        [[likely]]
      continue;
    const auto text = [](const VkRect2D& of) {
      return absl::StrCat(of.extent.width, " x ", of.extent.height, " at (", of.offset.x, ", ",
                          of.offset.y, ")");
    };
    ReportSync(call, *state.object, Fault::kClearsOutside, text(rect), text(pass.area));
  }
}

void CheckAttachmentLayouts(VkCall& call, const Resource& image,
                            const RenderPassInfo::Attachment& attachment) {
  // By layout, as kLayoutUsages; of vkCmdBeginRenderPass and vkCmdBeginRenderPass2.
  constexpr const char* kVuids[][2] = {{"", ""},           {"", ""},          {"00895", "03094"},
                                       {"01758", "03096"}, {"", ""},          {"00897", "03097"},
                                       {"00898", "03098"}, {"00899", "03099"}};
  static_assert(std::size(kVuids) == std::size(kLayoutUsages));
  const uint32_t usage = ImageOf(image).usage;
  for (const Layout layout : {attachment.initial_layout, attachment.final_layout}) {
    if (layout >= std::size(kLayoutUsages) || usage == 0) continue;
    const LayoutUsage& needed = kLayoutUsages[layout];
    if (needed.needed == 0 || (usage & needed.needed) != 0) [[likely]]
      continue;
    const bool second = IsSecond(call);
    return ReportSync(call, image, Fault::kAttachmentUsage,
                      absl::StrCat(needed.names, ", which ", LayoutName(layout), " needs"),
                      absl::StrCat(second ? "vkCmdBeginRenderPass2" : "vkCmdBeginRenderPass",
                                   "-initialLayout-", kVuids[layout][second]));
  }
}

bool CheckRenderArea(VkCall& call, const VkRenderingInfo& info, const Resource& image,
                     const ImageViewState& view) {
  constexpr const char* kVuids[2][3] = {
      {"VkRenderingInfo-pNext-06077", "VkRenderingInfo-pNext-06079", "VkRenderingInfo-None-08994"},
      {"VkRenderingInfo-pNext-06078", "VkRenderingInfo-pNext-06080", "VkRenderingInfo-None-08995"}};
  const VkExtent3D extent = ImageOf(image).ExtentOf(view.part.first_mip);
  return !IsPlainArea(info.pNext) ||
         CheckArea(call, image, info.renderArea, extent.width, extent.height, kVuids);
}

void CheckEnd(VkCall& call, const CommandBufferState& state, bool rendering) {
  const PassInstance& pass = state.pass;
  const bool second = IsSecond(call);
  const bool is_rendering = pass.kind == PassInstance::Kind::kRendering;
  if (pass.kind == PassInstance::Kind::kNone) return;
  if (!rendering || !second)
    CheckNoFeedback(call, state, rendering ? "06781" : second ? "02352" : "02351");
  if (rendering != is_rendering) [[unlikely]] {
    return ReportSync(call, *state.object, Fault::kEndsOtherKind,
                      is_rendering ? "vkCmdEndRendering" : "vkCmdEndRenderPass",
                      rendering ? (second ? "10610" : "06161") : (second ? "06171" : "06170"));
  }
  if (rendering) {
    if (!pass.begun) [[unlikely]]
      ReportSync(call, *state.object, Fault::kEndsElsewhere, "", second ? "10611" : "06162");
    return;
  }
  if (pass.begun && pass.pass_info != nullptr &&
      pass.subpass + 1 < pass.pass_info->subpasses.size()) [[unlikely]] {
    ReportSync(call, *state.object, Fault::kSubpassesLeft, absl::StrCat(pass.subpass),
               absl::StrCat(pass.pass_info->subpasses.size()));
  }
}

void CheckNewPipeline(VkCall& call, const PassInstance& pass, const PlainObject& object,
                      const PipelineState& pipeline) {
  if (pipeline.compatibility == 0 || pass.compatibility == 0) return;
  const bool of_rendering = pipeline.formats != nullptr;
  if (pass.kind == PassInstance::Kind::kRendering) {
    if (!of_rendering)
      return ReportSync(call, object, Fault::kPipelineOfOtherPass, "a render pass", "06198");
    // A custom resolve draws to the resolve attachments.
    if (call.device().mixes_samples) return;
    return CompareFormats(call, object, Fault::kPipelineFormats, *pipeline.formats, pass.formats,
                          call.device().unused_attachments ? kOfDrawUnused : kOfDraw);
  }
  if (of_rendering || pipeline.compatibility != pass.compatibility) {
    ReportSync(call, object, Fault::kPipelineOfOtherPass,
               of_rendering ? "dynamic rendering" : "an incompatible render pass", "02684");
  } else if (pipeline.subpass != pass.subpass) {
    ReportSync(call, object, Fault::kPipelineOfOtherSubpass, absl::StrCat(pass.subpass),
               absl::StrCat(pipeline.subpass));
  }
}

void CheckInheritance(VkCall& call, const PassInstance& pass, const CommandBufferState& secondary) {
  const PassInstance& own = secondary.pass;
  if (own.kind == PassInstance::Kind::kNone) return;
  const bool rendering = pass.kind == PassInstance::Kind::kRendering;
  if (rendering != (own.kind == PassInstance::Kind::kRendering)) {
    return ReportSync(call, *secondary.object, Fault::kExecutesOtherPass,
                      rendering ? "a render pass" : "dynamic rendering",
                      rendering ? "06025" : "06020");
  }
  constexpr VkRenderingFlags kSecondaries = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
  if (rendering && own.compatibility != 0 && ((pass.flags ^ own.flags) & ~kSecondaries) != 0)
      [[unlikely]] {
    ReportSync(call, *secondary.object, Fault::kExecutesOtherFlags, RenderingFlagText(own.flags),
               RenderingFlagText(pass.flags));
  }
  if (pass.framebuffer != 0 && own.framebuffer != 0 && pass.framebuffer != own.framebuffer)
    ReportSync(call, *secondary.object, Fault::kExecutesOtherFrame);
  if (pass.compatibility == 0 || own.compatibility == 0 || pass.compatibility == own.compatibility)
    return;
  if (!rendering) {
    ReportSync(call, *secondary.object, Fault::kExecutesOtherPass, "an incompatible render pass",
               "06020");
  } else {
    CompareFormats(call, *secondary.object, Fault::kExecutesOtherFormats, own.formats, pass.formats,
                   kOfExecute);
  }
}

}  // namespace gpusan::vulkan
