// The values of viewports and scissors that commands set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// Whether every device allows the values (Vulkan 1.3, Required Limits). Few programs use others.
// Compares all members at once, because programs set viewports often.
inline bool IsPlain(const VkViewport& viewport) {
  using Four = float __attribute__((vector_size(16)));
  constexpr float kMost = 4096, kLast = kMost - 1;
  constexpr Four kFrom = {-kLast, -kLast, std::numeric_limits<float>::min(), -kMost};
  constexpr Four kTo = {kLast, kLast, kMost, kMost};
  constexpr Four kZero = {}, kOne = {1, 1, 1, 1};
  Four area, depths = {};
  static_assert(offsetof(VkViewport, minDepth) == sizeof(area));
  std::memcpy(&area, &viewport, sizeof(area));
  std::memcpy(&depths, &viewport.minDepth, 2 * sizeof(float));
  const auto fits = (area >= kFrom) & (area <= kTo) & (depths >= kZero) & (depths <= kOne);
  uint64_t halves[2];
  std::memcpy(halves, &fits, sizeof(halves));
  return (halves[0] & halves[1]) == ~uint64_t{0};
}
inline bool IsPlain(const VkRect2D& scissor) {
  // As an unsigned number, a negative offset exceeds the limit.
  const auto fits = [](int32_t offset, uint32_t extent) {
    return uint64_t{static_cast<uint32_t>(offset)} + extent <= INT32_MAX;
  };
  return fits(scissor.offset.x, scissor.extent.width) &&
         fits(scissor.offset.y, scissor.extent.height);
}
template <typename T>
bool ArePlain(uint32_t count, const T* values) {
  if (values == nullptr) return false;
  for (uint32_t i = 0; i < count; ++i) {
    if (!IsPlain(values[i])) return false;
  }
  return true;
}

// Adds a finding for the first viewport, or scissor, that the device does not allow. `values`: may
// be nullptr.
[[gnu::noinline, gnu::cold]] void CheckValues(VkCall& call, const CommandBufferState& state,
                                              uint32_t count, const VkViewport* values);
[[gnu::noinline, gnu::cold]] void CheckValues(VkCall& call, const CommandBufferState& state,
                                              uint32_t count, const VkRect2D* values);

// Adds a finding for a viewport or scissor other than the first one without the feature for
// several.
void CheckIndices(VkCall& call, uint32_t first, uint32_t count);

}  // namespace gpusan::vulkan
