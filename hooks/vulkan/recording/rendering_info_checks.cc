#include "hooks/vulkan/recording/rendering_info_checks.h"

#include <bit>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/memory/images.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/words/formats.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

// The purposes of an attachment. Bits.
enum : uint8_t { kColor = 1, kDepth = 2, kStencil = 4, kAny = 7 };

// A layout that an attachment for one of `roles` cannot have, and the valid usages of the
// attachment and of its resolve target; "": it may have the layout.
struct LayoutRow {
  Layout layout;
  uint8_t roles;
  const char *own, *resolved;
};
constexpr LayoutRow kLayouts[] = {
    {VK_IMAGE_LAYOUT_UNDEFINED, kAny, "AttachmentInfo-imageView-06135",
     "AttachmentInfo-imageView-06136"},
    {VK_IMAGE_LAYOUT_PREINITIALIZED, kAny, "AttachmentInfo-imageView-06135",
     "AttachmentInfo-imageView-06136"},
    {VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, kAny, "AttachmentInfo-imageView-06135",
     "AttachmentInfo-imageView-06136"},
    {VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, kAny, "AttachmentInfo-imageView-06135",
     "AttachmentInfo-imageView-06136"},
    {VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kAny, "AttachmentInfo-imageView-06135",
     "AttachmentInfo-imageView-06136"},
    {VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT, kAny, "AttachmentInfo-imageView-06140",
     "AttachmentInfo-imageView-06141"},
    {VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL, kAny, "", "AttachmentInfo-imageView-06142"},
    {VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR, kAny,
     "AttachmentInfo-imageView-06143", "AttachmentInfo-imageView-06139"},
    {VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, kAny, "AttachmentInfo-imageView-06145",
     "AttachmentInfo-imageView-06146"},
    {VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, kDepth, "Info-pDepthAttachment-06092",
     "Info-pDepthAttachment-06093"},
    {VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, kStencil, "Info-pStencilAttachment-06094",
     "Info-pStencilAttachment-06095"},
    {VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, kDepth, "Info-pDepthAttachment-07732",
     "Info-pDepthAttachment-07733"},
    {VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL, kDepth, "Info-pDepthAttachment-07732",
     "Info-pDepthAttachment-07733"},
    {VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, kStencil, "Info-pStencilAttachment-07734",
     "Info-pStencilAttachment-07735"},
    {VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, kStencil, "Info-pStencilAttachment-07734",
     "Info-pStencilAttachment-07735"},
    {VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL, kDepth, "",
     "Info-pDepthAttachment-06098"},
    {VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL, kStencil, "",
     "Info-pStencilAttachment-06099"},
    {VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, kColor, "Info-colorAttachmentCount-06090",
     "Info-colorAttachmentCount-06091"},
    {VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, kColor, "Info-colorAttachmentCount-06090",
     "Info-colorAttachmentCount-06091"},
    {VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, kDepth | kStencil, "",
     "AttachmentInfo-imageView-06136"},
    {VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL, kColor,
     "Info-colorAttachmentCount-06096", "Info-colorAttachmentCount-06097"},
    {VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL, kColor,
     "Info-colorAttachmentCount-06096", "Info-colorAttachmentCount-06097"},
    {VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, kColor, "Info-colorAttachmentCount-06100",
     "Info-colorAttachmentCount-06101"},
    {VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, kAny, "", "AttachmentInfo-imageView-06137"},
    {VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL, kAny, "", "AttachmentInfo-imageView-06137"},
};

void CheckLayout(VkCall& call, const Resource& image, Layout layout, uint8_t role, bool resolved) {
  for (const LayoutRow& row : kLayouts) {
    if (row.layout != layout || (row.roles & role) == 0) continue;
    const char* vuid = resolved ? row.resolved : row.own;
    if (*vuid == '\0') continue;
    return ReportSync(call, image, Fault::kRenderingLayout, LayoutName(layout),
                      absl::StrCat("VkRendering", vuid));
  }
}

// Finds the view; nullptr: unknown. `image`: set to its image.
const ImageViewState* FindView(VkCall& call, VkImageView handle, const Resource** image) {
  if (handle == VK_NULL_HANDLE) return nullptr;
  const auto* view = static_cast<const PlainObject*>(
      call.tracker().objects().Find(Api::kVulkan, ObjectKind::kImageView, HandleOf(handle)));
  const ImageViewState* state = nullptr;
  *image = ImageOfView(view, &state);
  return *image != nullptr ? state : nullptr;
}

class Checker {
 public:
  Checker(VkCall& call, const VkRenderingInfo& info) : call_(call), info_(info) {}

  void Check(const VkRenderingAttachmentInfo* given, uint8_t role) {
    const Resource* image = nullptr;
    const ImageViewState* view =
        given != nullptr ? FindView(call_, given->imageView, &image) : nullptr;
    if (view == nullptr) return;
    CheckLayout(call_, *image, given->imageLayout, role, false);
    CheckView(*view, *image, role);
    CheckLayers(*view, *image, role);
    CheckSamples(*image);
    // Further modes belong to extensions.
    constexpr uint32_t kModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT | VK_RESOLVE_MODE_AVERAGE_BIT |
                                VK_RESOLVE_MODE_MIN_BIT | VK_RESOLVE_MODE_MAX_BIT;
    if ((given->resolveMode & kModes) != 0) CheckResolve(*given, *view, *image, role);
  }

 private:
  void Report(const Resource& image, Fault fault, std::string what, const char* vuid) {
    ReportSync(call_, image, fault, std::move(what), absl::StrCat("VkRendering", vuid));
  }

  void CheckView(const ImageViewState& view, const Resource& image, uint8_t role) {
    if (view.swizzled) [[unlikely]] {
      ReportSync(call_, image, Fault::kSwizzledView, "",
                 role == kColor   ? "VkRenderingInfo-colorAttachmentCount-09479"
                 : role == kDepth ? "VkRenderingInfo-pDepthAttachment-09481"
                                  : "VkRenderingInfo-pStencilAttachment-09483");
    }
    if (view.type == VK_IMAGE_VIEW_TYPE_3D) [[unlikely]]
      Report(image, Fault::kRenderingView, "of the type VK_IMAGE_VIEW_TYPE_3D",
             "AttachmentInfo-imageView-12470");
    if (view.part.mips > 1) [[unlikely]]
      Report(image, Fault::kRenderingView, absl::StrCat("of ", view.part.mips, " mip levels"),
             "AttachmentInfo-imageView-12486");
    const uint32_t aspects = ImageOf(image).aspects;
    if (aspects == 0) return;
    if (role == kDepth && (aspects & VK_IMAGE_ASPECT_DEPTH_BIT) == 0) [[unlikely]]
      Report(image, Fault::kRenderingAspect, "depth", "Info-pDepthAttachment-06547");
    if (role == kStencil && (aspects & VK_IMAGE_ASPECT_STENCIL_BIT) == 0) [[unlikely]]
      Report(image, Fault::kRenderingAspect, "stencil", "Info-pStencilAttachment-06548");
  }

  void CheckLayers(const ImageViewState& view, const Resource& image, uint8_t role) {
    // Slices of a 3D image are layers of its view.
    if (ImageOf(image).is_3d) return;
    const uint32_t mask = info_.viewMask;
    const auto needed = mask != 0 ? static_cast<uint32_t>(std::bit_width(mask)) : info_.layerCount;
    if (view.part.layers >= needed) [[likely]]
      return;
    constexpr const char* kVuids[3][2] = {{"Info-viewMask-10859", "Info-viewMask-12403"},
                                          {"Info-viewMask-10860", "Info-viewMask-12404"},
                                          {"Info-viewMask-10861", "Info-viewMask-12405"}};
    Report(image, Fault::kRenderingLayers,
           absl::StrCat(view.part.layers, view.part.layers == 1 ? " layer, but " : " layers, but ",
                        mask != 0 ? "viewMask" : "layerCount", " needs ", needed),
           kVuids[role == kColor   ? 0
                  : role == kDepth ? 1
                                   : 2][mask != 0]);
  }

  void CheckSamples(const Resource& image) {
    const uint32_t samples = ImageOf(image).samples;
    if (samples_ != 0 && samples_ != samples && !call_.device().mixes_samples) [[unlikely]] {
      Report(image, Fault::kRenderingSamples,
             absl::StrCat(samples, samples == 1 ? " sample" : " samples",
                          " beside an attachment with ", samples_),
             "Info-multisampledRenderToSingleSampled-06857");
    }
    samples_ = samples;
  }

  void CheckResolve(const VkRenderingAttachmentInfo& given, const ImageViewState& view,
                    const Resource& image, uint8_t role) {
    const Resource* target = nullptr;
    const ImageViewState* resolved = FindView(call_, given.resolveImageView, &target);
    // Extensions resolve into an attachment of one sample.
    if (ImageOf(image).samples == 1 && !call_.device().mixes_samples) [[unlikely]]
      Report(image, Fault::kRenderingResolve, "to resolve, which has only one sample",
             "AttachmentInfo-imageView-06861");
    if (given.resolveImageView == VK_NULL_HANDLE && !call_.device().mixes_samples) [[unlikely]]
      Report(image, Fault::kRenderingResolve, "to resolve, but resolveImageView is VK_NULL_HANDLE",
             "AttachmentInfo-imageView-06862");
    if (resolved == nullptr) return;
    CheckLayout(call_, *target, given.resolveImageLayout, role, true);
    CheckLayers(*resolved, *target, role);
    if (ImageOf(*target).samples > 1) [[unlikely]]
      Report(*target, Fault::kRenderingResolve,
             absl::StrCat("as the image to resolve into, which has ", ImageOf(*target).samples,
                          " samples"),
             "AttachmentInfo-imageView-06864");
    if (resolved->format != view.format) [[unlikely]]
      Report(*target, Fault::kRenderingResolve,
             "as the image to resolve into, which has another format than the attachment",
             "AttachmentInfo-imageView-06865");
    if (role == kColor && !view.integers && given.resolveMode != VK_RESOLVE_MODE_AVERAGE_BIT)
        [[unlikely]]
      Report(image, Fault::kRenderingResolveMode, "VK_RESOLVE_MODE_AVERAGE_BIT",
             "AttachmentInfo-imageView-06129");
    if (role == kColor && view.integers && given.resolveMode != VK_RESOLVE_MODE_SAMPLE_ZERO_BIT)
        [[unlikely]]
      Report(image, Fault::kRenderingResolveMode, "VK_RESOLVE_MODE_SAMPLE_ZERO_BIT",
             "AttachmentInfo-imageView-06130");
  }

  VkCall& call_;
  const VkRenderingInfo& info_;
  uint32_t samples_ = 0;  // of the last attachment; 0: none
};

}  // namespace

void CheckRenderingInfo(VkCall& call, const VkRenderingInfo& info) {
  Checker checker(call, info);
  for (uint32_t i = 0; info.pColorAttachments != nullptr && i < info.colorAttachmentCount; ++i)
    checker.Check(&info.pColorAttachments[i], kColor);
  const VkRenderingAttachmentInfo* depth = info.pDepthAttachment;
  const VkRenderingAttachmentInfo* stencil = info.pStencilAttachment;
  checker.Check(depth, kDepth);
  checker.Check(stencil, kStencil);
  if (depth == nullptr || stencil == nullptr) return;
  const auto differ = [](VkImageView a, VkImageView b) {
    return a != VK_NULL_HANDLE && b != VK_NULL_HANDLE && a != b;
  };
  const Resource* image = nullptr;
  if (differ(depth->imageView, stencil->imageView) &&
      FindView(call, stencil->imageView, &image) != nullptr) [[unlikely]] {
    ReportSync(call, *image, Fault::kRenderingStencil, "imageView",
               "VkRenderingInfo-pDepthAttachment-06085");
  }
  if (depth->resolveMode != VK_RESOLVE_MODE_NONE && stencil->resolveMode != VK_RESOLVE_MODE_NONE &&
      differ(depth->resolveImageView, stencil->resolveImageView) &&
      FindView(call, stencil->resolveImageView, &image) != nullptr) [[unlikely]] {
    ReportSync(call, *image, Fault::kRenderingStencil, "resolveImageView",
               "VkRenderingInfo-pDepthAttachment-06086");
  }
}

}  // namespace gpusan::vulkan
