// Checks barriers against the queue family of their command buffer, and against the render pass
// that they are in.
#pragma once

#include "hooks/vulkan/recording/command_buffers.h"

namespace gpusan::vulkan {

// Checks masks that differ from those that the command buffer checked last.
[[gnu::noinline]] void CheckNewMasks(Recorder& recorder, const GivenMasks& masks);

// Adds findings for stages that the queue family does not support, and for accesses that the stages
// do not make.
inline void CheckMasks(Recorder& recorder, const GivenMasks& masks) {
  if (recorder.state().checked == masks) [[likely]]
    return;
  CheckNewMasks(recorder, masks);
}

// The same for a barrier between two queue families, of whose halves the queue executes one.
[[gnu::noinline]] void CheckTransfer(Recorder& recorder, const Resource& resource,
                                     uint32_t source_family, uint32_t target_family,
                                     const GivenMasks& masks, VkDependencyFlags flags);

// Adds a finding if the range names subresources that the image lacks.
[[gnu::noinline, gnu::cold]] void ReportRange(VkCall& call, const Resource& image,
                                              const VkImageSubresourceRange& range);
inline void CheckRange(VkCall& call, const Resource& image, const VkImageSubresourceRange& range) {
  const ImageState& state = ImageOf(image);
  const uint64_t mips = range.levelCount == VK_REMAINING_MIP_LEVELS ? 1 : range.levelCount;
  const uint64_t layers = range.layerCount == VK_REMAINING_ARRAY_LAYERS ? 1 : range.layerCount;
  if (range.baseMipLevel + mips > state.mips || range.baseArrayLayer + layers > state.layers)
      [[unlikely]]
    ReportRange(call, image, range);
}

// Adds a finding if the bytes are not inside of the buffer.
[[gnu::noinline, gnu::cold]] void ReportBytes(VkCall& call, const Resource& buffer, uint64_t offset,
                                              uint64_t bytes);
inline void CheckBytes(VkCall& call, const Resource& buffer, uint64_t offset, uint64_t bytes) {
  if (offset >= buffer.bytes || (bytes != VK_WHOLE_SIZE && bytes > buffer.bytes - offset))
      [[unlikely]]
    ReportBytes(call, buffer, offset, bytes);
}

// Checks a barrier, or a wait for events, inside of a render pass.
[[gnu::cold]] void CheckInPass(Recorder& recorder);
[[gnu::cold]] void CheckInPass(Recorder& recorder, const Resource& resource, bool image,
                               Layout old_layout, Layout new_layout);

}  // namespace gpusan::vulkan
