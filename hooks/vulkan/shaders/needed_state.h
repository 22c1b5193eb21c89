// The dynamic state that draws need. Commands must have set it in the command buffer before the
// draw.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <initializer_list>

#include "hooks/vulkan/call/dynamic_states.h"

namespace gpusan::vulkan {

// The state that a secondary command buffer may inherit (VK_NV_inherited_viewport_scissor).
constexpr uint64_t kInheritableState =
    kSetsViewport | kSetsViewportCount | kSetsScissor | kSetsScissorCount | kSameCounts;

// The state of the shaders of a draw. All masks have the bits of dynamic_states.h.
struct DrawState {
  // The state that draws take from the command buffer, as far as they may need it.
  uint64_t dynamic = 0;
  // The state that the pipeline has itself: binding it makes what commands have set undefined.
  uint64_t fixed = 0;
  // The part of `fixed` whose value is on. On are: a test or another enable that is VK_TRUE; a
  // topology of lines, and kIsTriangles; polygon mode LINE; a cull mode other than NONE;
  // overestimation; blending of all attachments, and with constants.
  uint64_t on = 0;
  // The vertex shader is the last stage before rasterization: its topology is rasterized.
  bool vertices_last = false;
  // Shader objects, not a pipeline.
  bool shaders = false;
};

// The values of a topology and of blend factors, as in DrawState::on.
uint64_t TopologyValue(VkPrimitiveTopology topology);
bool UsesConstants(std::initializer_list<VkBlendFactor> factors);

// Whether commands set one of the states, not the pipeline.
bool IsDynamic(const VkGraphicsPipelineCreateInfo& info,
               std::initializer_list<VkDynamicState> states);

// Returns the state of a pipeline. `color`, `depth`: it draws to color attachments, or to a depth
// or stencil attachment, so that pColorBlendState or pDepthStencilState is valid. `absent`:
// Features::absent_states.
DrawState StateOfPipeline(const VkGraphicsPipelineCreateInfo& info, bool color, bool depth,
                          uint64_t absent);
// Returns the state of shader objects that are bound to the stages.
DrawState StateOfShaders(VkShaderStageFlags stages, uint64_t absent);

// Returns the state that a draw needs and that is not set, as bits. `set`, `on`: as in Bindings.
// `color`: the draw is inside a render pass that surely has a color attachment.
uint64_t MissingState(const DrawState& state, uint64_t set, uint64_t on, bool color);

// The part of DrawState::fixed that commands must not set while the pipeline is bound. Of other
// state it is not certain that the pipeline has it.
constexpr uint64_t kSurelyFixed =
    kSetsViewport | kSetsViewportCount | kSetsScissor | kSetsScissorCount | kSetsVertexInput |
    kSetsTopology | kSetsRestart | kSetsDiscard | kSetsCullMode | kSetsFrontFace |
    kSetsDepthBiasEnable | kSetsDepthBias | kSetsLineWidth | kSetsDepthTest | kSetsDepthWrite |
    kSetsDepthCompareOp | kSetsBoundsTest | kSetsDepthBounds | kSetsStencilTest |
    kSetsStencilCompareMask | kSetsStencilWriteMask | kSetsStencilReference | kSetsStencilOp |
    kSetsBlendConstants;

// A state that no command has set. Both texts are static.
struct MissingCommand {
  const char* command;  // that sets it
  const char* usage;    // the end of the draw's valid usage, such as "None-07831"
};
// Describes the first state of `missing`, which must be a state of commands.
MissingCommand DescribeMissing(const DrawState& state, uint64_t missing);

}  // namespace gpusan::vulkan
