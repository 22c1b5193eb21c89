// One bit for each state that a pipeline can leave to commands.
#pragma once

#include <cstdint>

namespace gpusan::vulkan {

enum DynamicStateIndex : uint8_t {
#define GPUSAN_STATE(name, value, command, usage) kIndexOf##name,
#include "hooks/vulkan/call/dynamic_states.def"
#undef GPUSAN_STATE
  kDynamicStates
};

#define GPUSAN_STATE(name, value, command, usage) \
  inline constexpr uint64_t kSets##name = uint64_t{1} << kIndexOf##name;
#include "hooks/vulkan/call/dynamic_states.def"
#undef GPUSAN_STATE

// The bit of a triangle topology. It is used only in masks of states that are on. In these masks,
// kSetsTopology means a line topology.
inline constexpr uint64_t kIsTriangles = uint64_t{1} << kDynamicStates;
static_assert(kDynamicStates < 64);
// Only among states that are set, and that draws need: the numbers of viewports and of scissors
// that commands set last are equal, or one of them is not known.
inline constexpr uint64_t kSameCounts = kIsTriangles;

}  // namespace gpusan::vulkan
