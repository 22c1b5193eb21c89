// The dynamic state that the draws of a graphics pipeline need. Commands must have set it in the
// command buffer before the draw.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <initializer_list>

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

// Whether commands set one of the states, not the pipeline.
bool IsDynamic(const VkGraphicsPipelineCreateInfo& info,
               std::initializer_list<VkDynamicState> states);

// Returns the state that every draw of a pipeline needs, as bits of DynamicStateBit. A state is
// left out if other dynamic state decides whether draws use it. `depth`: the pipeline draws to a
// depth or stencil attachment, so that pDepthStencilState is valid. Precondition: the pipeline
// rasterizes, so that pRasterizationState is valid.
uint32_t NeededState(const VkGraphicsPipelineCreateInfo& info, bool depth);

// A state that no command has set. Both texts are static.
struct MissingState {
  const char* command;  // that sets it
  const char* usage;    // the end of the draw's valid usage, such as "None-07831"
};
// Describes the first state of `missing`, which must not be 0. `needed`: all bits that the pipeline
// needs.
MissingState DescribeMissing(uint32_t missing, uint32_t needed);

}  // namespace gpusan::vulkan
