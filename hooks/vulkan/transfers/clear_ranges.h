// The ranges of vkCmdClearColorImage and vkCmdClearDepthStencilImage.
#pragma once

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/memory/images.h"

namespace gpusan::vulkan {

[[gnu::noinline]] void ReportClearRange(VkCall& call, const Resource& image,
                                        const VkImageSubresourceRange& range);

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
