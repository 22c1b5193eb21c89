// The layouts of images whose depth and stencil may have layouts of their own.
#pragma once

#include <cstdint>
#include <optional>

#include "hooks/vulkan/objects/resources.h"
#include "tracker/scopes/layouts.h"

namespace gpusan::vulkan {

// Whether the image has both depth and stencil.
inline bool HasDepthAndStencil(const ImageState& image) {
  constexpr uint32_t kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  return (image.aspects & kBoth) == kBoth;
}

// Sets the layout of a part. kNoLayout: unknown. `apart`: the device allows depth and stencil to
// have different layouts, and gpusan sees all changes of either one; otherwise, and for planes, a
// change of one aspect makes the layout of all aspects unknown. The caller holds the lock.
void SetImageLayout(ImageState& image, const ImagePart& part, Layout layout, bool apart,
                    const CallInfo* call, SiteId site);

// Makes the layout of the whole image unknown. The caller holds the lock.
void ForgetLayouts(ImageState& image);

// Compares the layouts of a part of an image with depth and stencil with `expected`, aspect by
// aspect: a layout of both aspects equals the layouts of single aspects that it stands for.
// `apart`: as for SetImageLayout. Returns the first mismatch. The caller holds the lock.
std::optional<LayoutMap::Mismatch> CheckAspects(const ImageState& image, const ImagePart& part,
                                                Layout expected, bool apart);

}  // namespace gpusan::vulkan
