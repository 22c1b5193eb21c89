// The layouts of images whose depth and stencil may have layouts of their own.
#include "hooks/vulkan/objects/aspect_layouts.h"

#include <memory>

namespace gpusan::vulkan {
namespace {

constexpr uint32_t kDepth = VK_IMAGE_ASPECT_DEPTH_BIT, kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;

// The aspect that a layout is for; 0: the layout is not for a single aspect.
uint32_t OnlyAspect(Layout layout) {
  switch (layout) {
    case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL:
      return kDepth;
    case VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL:
    case VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL:
      return kStencil;
    default:
      return 0;
  }
}

// What the layout of an image means for one of its aspects, depth or stencil (Vulkan 1.3 §12.4).
Layout LayoutOfAspect(Layout layout, uint32_t aspect) {
  const bool depth = aspect == kDepth;
  const Layout written =
      depth ? VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL;
  const Layout read =
      depth ? VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
  switch (layout) {
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL:
    case VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL:
      return written;
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
      return read;
    case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL:
      return depth ? written : read;
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL:
      return depth ? read : written;
    default:
      return layout;
  }
}

// The layouts of stencil, which begin as those that both aspects have now.
LayoutMap& SplitLayouts(ImageState& image) {
  ImageExtra& extra = image.MakeExtra();
  if (extra.stencil_layouts == nullptr) {
    extra.stencil_layouts = std::make_unique<LayoutMap>(image.mips, image.layers, kNoLayout);
    for (uint32_t layer = 0; layer < image.layers; ++layer) {
      for (uint32_t mip = 0; mip < image.mips; ++mip) {
        const LayoutMap::State& state = image.layouts.StateAt(mip, layer);
        extra.stencil_layouts->Set({mip, 1, layer, 1}, state.layout, state.call, state.site);
      }
    }
  }
  return *extra.stencil_layouts;
}

}  // namespace

void SetImageLayout(ImageState& image, const ImagePart& part, Layout layout, bool apart,
                    const CallInfo* call, SiteId site) {
  const SubresourceRange range = RangeOf(part);
  if (!HasDepthAndStencil(image)) [[likely]]
    return image.layouts.Set(range, IsOneOfSeveral(image, part.aspects) ? kNoLayout : layout, call,
                             site);
  const uint32_t aspects = part.aspects & (kDepth | kStencil);
  const uint32_t only = OnlyAspect(layout);
  if (aspects != (kDepth | kStencil) && apart) {
    LayoutMap& stencil = SplitLayouts(image);
    LayoutMap& changed = aspects == kStencil ? stencil : image.layouts;
    return changed.Set(range, only != 0 && only != aspects ? kNoLayout : layout, call, site);
  }
  if (aspects != (kDepth | kStencil) || only != 0) layout = kNoLayout;
  image.layouts.Set(range, layout, call, site);
  if (image.extra != nullptr && image.extra->stencil_layouts != nullptr)
    image.extra->stencil_layouts->Set(range, layout, call, site);
}

void ForgetLayouts(ImageState& image) {
  image.layouts.Set({0, image.mips, 0, image.layers}, kNoLayout);
  if (image.extra != nullptr) image.extra->stencil_layouts.reset();
}

std::optional<LayoutMap::Mismatch> CheckAspects(const ImageState& image, const ImagePart& part,
                                                Layout expected, bool apart) {
  const uint32_t only = OnlyAspect(expected);
  const LayoutMap* const stencil =
      image.extra != nullptr ? image.extra->stencil_layouts.get() : nullptr;
  for (const uint32_t aspect : {kDepth, kStencil}) {
    if ((part.aspects & aspect) == 0 || (only != 0 && (!apart || only != aspect))) continue;
    const LayoutMap& map = aspect == kStencil && stencil != nullptr ? *stencil : image.layouts;
    const auto mismatch = map.Check(RangeOf(part), expected);
    if (mismatch &&
        LayoutOfAspect(mismatch->actual.layout, aspect) != LayoutOfAspect(expected, aspect))
      return mismatch;
  }
  return std::nullopt;
}

}  // namespace gpusan::vulkan
