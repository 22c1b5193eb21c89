// The ranges of vkCmdClearColorImage and vkCmdClearDepthStencilImage.
#pragma once

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/memory/images.h"

namespace gpusan::vulkan {

[[gnu::noinline]] void ReportClearRange(VkCall& call, const Resource& image,
                                        const VkImageSubresourceRange& range);

[[gnu::noinline, gnu::cold]] void ReportClearFormat(VkCall& call, const Resource& image,
                                                    bool color);

// Adds a finding if the format of the image is not one of vkCmdClearColorImage (`color`), or of
// vkCmdClearDepthStencilImage.
inline void CheckClearFormat(VkCall& call, const Resource& image, bool color) {
  const ImageState& state = ImageOf(image);
  constexpr uint32_t kDepthStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  if (state.aspects == 0) return;  // not known
  const bool depth = (state.aspects & kDepthStencil) != 0;
  if (color == depth || (color && state.block.width * state.block.height > 1)) [[unlikely]]
    ReportClearFormat(call, image, color);
}

// Adds a finding if the range names mip levels or array layers that the image lacks.
inline void CheckClearRange(VkCall& call, const Resource& image,
                            const VkImageSubresourceRange& range) {
  const ImageState& state = ImageOf(image);
  const auto fits = [](uint32_t first, uint32_t count, uint32_t all) {
    return first < all && (count <= all - first || count == VK_REMAINING_MIP_LEVELS);
  };
  static_assert(VK_REMAINING_MIP_LEVELS == VK_REMAINING_ARRAY_LAYERS);
  if (!fits(range.baseMipLevel, range.levelCount, state.mips) ||
      !fits(range.baseArrayLayer, range.layerCount, state.layers)) [[unlikely]]
    ReportClearRange(call, image, range);
}

}  // namespace gpusan::vulkan
