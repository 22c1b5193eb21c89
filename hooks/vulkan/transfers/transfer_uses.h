// The checks of a buffer or image that a transfer command uses, apart from its regions.
#pragma once

#include "hooks/vulkan/memory/buffers.h"
#include "hooks/vulkan/memory/images.h"
#include "hooks/vulkan/memory/memory.h"

namespace gpusan::vulkan {

inline constexpr uint64_t kTransferRead = VK_ACCESS_2_TRANSFER_READ_BIT;
inline constexpr uint64_t kTransferWrite = VK_ACCESS_2_TRANSFER_WRITE_BIT;

// The names of a transfer command's arguments in findings.
struct TransferNames {
  const char* source;
  const char* destination;
};
inline constexpr TransferNames kBufferNames = {"srcBuffer", "dstBuffer"};
inline constexpr TransferNames kImageNames = {"srcImage", "dstImage"};

// Layouts in which a command may read or write an image as a whole (Vulkan 1.3 §12.4).
[[gnu::always_inline]] inline bool FitsTransfer(Layout layout, bool write) {
  return layout == (write ? VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
                          : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL) ||
         layout == VK_IMAGE_LAYOUT_GENERAL || layout == VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR;
}
// The usage flag that a transfer command needs.
constexpr VkBufferUsageFlags TransferBufferUsage(bool write) {
  return write ? VK_BUFFER_USAGE_TRANSFER_DST_BIT : VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
}
constexpr VkImageUsageFlags TransferImageUsage(bool write) {
  return write ? VK_IMAGE_USAGE_TRANSFER_DST_BIT : VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
}

// Adds findings for a buffer without memory or without the usage flag.
[[gnu::always_inline]] inline void CheckBufferUse(VkCall& call, Resource& buffer, bool write,
                                                  const char* argument) {
  CheckBoundOnce(call, buffer, argument);
  CheckBufferUsage(call, buffer, TransferBufferUsage(write),
                   write ? "VK_BUFFER_USAGE_TRANSFER_DST_BIT" : "VK_BUFFER_USAGE_TRANSFER_SRC_BIT",
                   argument);
}
// Whether CheckBufferUse adds no finding.
[[gnu::always_inline]] inline bool IsBufferUsable(const Resource& buffer, bool write) {
  const BufferState& state = BufferOf(buffer);
  return state.bound && (state.usage & TransferBufferUsage(write)) != 0;
}

[[gnu::noinline, gnu::cold]] void ReportTransferLayout(VkCall& call, Resource& image, Layout layout,
                                                       bool write);
// Adds findings for an image without memory, without the usage flag, or in an unsuitable layout.
[[gnu::always_inline]] inline void CheckImageUse(VkCall& call, Resource& image, bool write,
                                                 Layout layout, const char* argument) {
  CheckBoundOnce(call, image, argument);
  CheckImageUsage(call, image, TransferImageUsage(write),
                  write ? "VK_IMAGE_USAGE_TRANSFER_DST_BIT" : "VK_IMAGE_USAGE_TRANSFER_SRC_BIT",
                  argument);
  if (!FitsTransfer(layout, write)) [[unlikely]]
    ReportTransferLayout(call, image, layout, write);
}
// Whether CheckImageUse adds no finding.
[[gnu::always_inline]] inline bool IsImageUsable(const Resource& image, bool write, Layout layout) {
  const ImageState& state = ImageOf(image);
  return state.bound && (state.usage & TransferImageUsage(write)) != 0 &&
         FitsTransfer(layout, write);
}

}  // namespace gpusan::vulkan
