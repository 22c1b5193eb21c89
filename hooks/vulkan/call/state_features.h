// The features that a device needs for dynamic state of VK_EXT_extended_dynamic_state and its
// successors.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <string>

#include "hooks/vulkan/call/dynamic_states.h"

namespace gpusan::vulkan {

// Bits of dynamic_states.h: those of Vulkan 1.3, by extension, the two others of
// VK_EXT_extended_dynamic_state2, and those of VK_EXT_extended_dynamic_state3.
inline constexpr uint64_t kStates1 = kSetsCullMode | kSetsFrontFace | kSetsTopology |
                                     kSetsViewportCount | kSetsScissorCount | kSetsDepthTest |
                                     kSetsDepthWrite | kSetsDepthCompareOp | kSetsBoundsTest |
                                     kSetsStencilTest | kSetsStencilOp;
inline constexpr uint64_t kStates2 = kSetsDepthBiasEnable | kSetsRestart | kSetsDiscard;
inline constexpr uint64_t kOptionalStates2 = kSetsLogicOp | kSetsPatchPoints;
inline constexpr uint64_t kStates3 =
    kSetsDomainOrigin | kSetsDepthClamp | kSetsPolygonMode | kSetsSamples | kSetsSampleMask |
    kSetsAlphaToCoverage | kSetsAlphaToOne | kSetsLogicOpEnable | kSetsBlendEnable |
    kSetsBlendEquation | kSetsWriteMask | kSetsStream | kSetsConservative | kSetsOverestimation |
    kSetsDepthClip | kSetsLocationsEnable | kSetsBlendAdvanced | kSetsProvoking | kSetsLineMode |
    kSetsStippleEnable | kSetsClipControl | kSetsWScaling | kSetsSwizzle | kSetsCoverageToColor |
    kSetsCoverageModulation | kSetsCoverageReduction | kSetsRepresentative | kSetsRateImage;
inline constexpr uint64_t kFeatureStates = kStates1 | kStates2 | kOptionalStates2 | kStates3;

// The states of kFeatureStates whose feature the program has not enabled. `api_version`: of the
// instance.
uint64_t RefusedStates(const VkDeviceCreateInfo& info, uint32_t api_version);

// The feature that one state of kFeatureStates needs, and the valid usages: the end of that of the
// command, and that of a pipeline with the state, without "VUID-".
struct StateFeature {
  const char* name;
  const char* command;
  std::string pipeline;
};
StateFeature FeatureOfState(uint64_t state);

}  // namespace gpusan::vulkan
