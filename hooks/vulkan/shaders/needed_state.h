// The dynamic state that the draws of a graphics pipeline need: commands set it in the command
// buffer before the draw.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>

namespace gpusan::vulkan {

// One bit for each state that commands set.
enum DynamicStateBit : uint32_t {
  kSetsViewport = 1u << 0,
  kSetsViewportCount = 1u << 1,
  kSetsScissor = 1u << 2,
  kSetsScissorCount = 1u << 3,
  kSetsDepthBias = 1u << 4,
  kSetsDepthBounds = 1u << 5,
  kSetsStencilCompareMask = 1u << 6,
  kSetsStencilWriteMask = 1u << 7,
  kSetsStencilReference = 1u << 8,
  kSetsCullMode = 1u << 9,
  kSetsFrontFace = 1u << 10,
  kSetsTopology = 1u << 11,
  kSetsDepthCompareOp = 1u << 12,
  kSetsStencilOp = 1u << 13,
};
// A secondary command buffer may inherit these (VK_NV_inherited_viewport_scissor).
constexpr uint32_t kInheritableState =
    kSetsViewport | kSetsViewportCount | kSetsScissor | kSetsScissorCount;

// The state that each draw of a pipeline surely needs, bits of DynamicStateBit. State whose use is
// up to other dynamic state is not among it. `depth`: the pipeline draws to a depth or stencil
// attachment, so that pDepthStencilState is valid. Precondition: it rasterizes.
uint32_t NeededState(const VkGraphicsPipelineCreateInfo& info, bool depth);

// The first state of `missing`, which is not 0: the command that sets it, and the end of the valid
// usage of draws. `needed`: all state that the pipeline needs.
struct MissingState {
  const char* command;
  const char* usage;
};
MissingState DescribeMissing(uint32_t missing, uint32_t needed);

}  // namespace gpusan::vulkan
