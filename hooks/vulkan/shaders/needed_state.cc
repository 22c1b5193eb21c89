// One row for each state: its command, its valid usage, and when draws need it.
#include "hooks/vulkan/shaders/needed_state.h"

#include <algorithm>
#include <bit>

namespace gpusan::vulkan {
namespace {

// When the draws of a pipeline need a state that commands set: always, if there is a vertex shader,
// or if the test or bias is on in the pipeline. A test that commands switch on or off does not
// count.
enum class If : uint8_t { kAlways, kVertices, kBias, kDepthTest, kBounds, kStencil };

struct Row {
  VkDynamicState state;
  DynamicStateBit bit;
  If condition;
  const char* command;
  const char* usage;
};
// In the order of the bits.
constexpr Row kRows[] = {
    {VK_DYNAMIC_STATE_VIEWPORT, kSetsViewport, If::kAlways, "vkCmdSetViewport", "None-07831"},
    {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, kSetsViewportCount, If::kAlways,
     "vkCmdSetViewportWithCount", "viewportCount-03417"},
    {VK_DYNAMIC_STATE_SCISSOR, kSetsScissor, If::kAlways, "vkCmdSetScissor", "None-07832"},
    {VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT, kSetsScissorCount, If::kAlways,
     "vkCmdSetScissorWithCount", "scissorCount-03418"},
    {VK_DYNAMIC_STATE_DEPTH_BIAS, kSetsDepthBias, If::kBias, "vkCmdSetDepthBias", "None-07834"},
    {VK_DYNAMIC_STATE_DEPTH_BOUNDS, kSetsDepthBounds, If::kBounds, "vkCmdSetDepthBounds",
     "None-07836"},
    {VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK, kSetsStencilCompareMask, If::kStencil,
     "vkCmdSetStencilCompareMask", "None-07837"},
    {VK_DYNAMIC_STATE_STENCIL_WRITE_MASK, kSetsStencilWriteMask, If::kStencil,
     "vkCmdSetStencilWriteMask", "None-07838"},
    {VK_DYNAMIC_STATE_STENCIL_REFERENCE, kSetsStencilReference, If::kStencil,
     "vkCmdSetStencilReference", "None-07839"},
    {VK_DYNAMIC_STATE_CULL_MODE, kSetsCullMode, If::kAlways, "vkCmdSetCullMode", "None-07840"},
    {VK_DYNAMIC_STATE_FRONT_FACE, kSetsFrontFace, If::kAlways, "vkCmdSetFrontFace", "None-07841"},
    {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, kSetsTopology, If::kVertices, "vkCmdSetPrimitiveTopology",
     "None-07842"},
    {VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, kSetsDepthCompareOp, If::kDepthTest,
     "vkCmdSetDepthCompareOp", "None-07845"},
    {VK_DYNAMIC_STATE_STENCIL_OP, kSetsStencilOp, If::kStencil, "vkCmdSetStencilOp", "None-07848"},
};

bool Holds(If condition, const VkGraphicsPipelineCreateInfo& info,
           const VkPipelineDepthStencilStateCreateInfo* depth) {
  switch (condition) {
    case If::kAlways:
      return true;
    case If::kVertices:
      for (uint32_t i = 0; i < info.stageCount; ++i) {
        if (info.pStages[i].stage == VK_SHADER_STAGE_VERTEX_BIT) return true;
      }
      return false;
    case If::kBias:
      return info.pRasterizationState->depthBiasEnable &&
             !IsDynamic(info, {VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE});
    case If::kDepthTest:
      return depth != nullptr && depth->depthTestEnable &&
             !IsDynamic(info, {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE});
    case If::kBounds:
      return depth != nullptr && depth->depthBoundsTestEnable &&
             !IsDynamic(info, {VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE});
    case If::kStencil:
      return depth != nullptr && depth->stencilTestEnable &&
             !IsDynamic(info, {VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE});
  }
  return false;
}

}  // namespace

bool IsDynamic(const VkGraphicsPipelineCreateInfo& info,
               std::initializer_list<VkDynamicState> states) {
  for (uint32_t i = 0;
       info.pDynamicState != nullptr && info.pDynamicState->pDynamicStates != nullptr &&
       i < info.pDynamicState->dynamicStateCount;
       ++i) {
    if (std::find(states.begin(), states.end(), info.pDynamicState->pDynamicStates[i]) !=
        states.end())
      return true;
  }
  return false;
}

uint32_t NeededState(const VkGraphicsPipelineCreateInfo& info, bool depth) {
  uint32_t needed = 0;
  for (const Row& row : kRows) {
    if (IsDynamic(info, {row.state}) &&
        Holds(row.condition, info, depth ? info.pDepthStencilState : nullptr))
      needed |= row.bit;
  }
  return needed;
}

MissingState DescribeMissing(uint32_t missing, uint32_t needed) {
  const Row& row = kRows[std::countr_zero(missing)];
  constexpr uint32_t kCounts = kSetsViewportCount | kSetsScissorCount;
  const bool both = (row.bit & kCounts) != 0 && (needed & kCounts) == kCounts;
  return {row.command, both ? "viewportCount-03419" : row.usage};
}

}  // namespace gpusan::vulkan
