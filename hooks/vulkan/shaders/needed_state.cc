// Which state draws need follows from the stages, from rasterization, and from the values of
// enables: those of the pipeline, or those that commands set last.
#include "hooks/vulkan/shaders/needed_state.h"

#include <algorithm>
#include <bit>

#include "hooks/vulkan/call/call.h"

namespace gpusan::vulkan {
namespace {

struct Row {
  VkDynamicState state;
  const char* command;
  const char* usage;
};
constexpr Row kRows[] = {
#define GPUSAN_STATE(name, value, command, usage) \
  {static_cast<VkDynamicState>(value), #command, usage},
#include "hooks/vulkan/call/dynamic_states.def"
#undef GPUSAN_STATE
};

// State that the stages before rasterization need.
constexpr uint64_t kVertexState =
    kSetsVertexInput | kSetsStrides | kSetsTopology | kSetsRestart | kSetsProvoking;
constexpr uint64_t kBeforeRaster = kSetsDiscard | kSetsVertexInput | kSetsStrides | kSetsTopology |
                                   kSetsRestart | kSetsPatchPoints | kSetsDomainOrigin |
                                   kSetsStream;
// State that only draws with a fragment shader and color attachments need.
constexpr uint64_t kColorState = kSetsLogicOpEnable | kSetsLogicOp | kSetsWriteEnable |
                                 kSetsWriteMask | kSetsBlendEnable | kSetsBlendEquation |
                                 kSetsBlendAdvanced | kSetsBlendConstants;
// State that only pipelines have.
constexpr uint64_t kOfPipelines = kSetsViewport | kSetsScissor | kSetsStrides;
// State that a pipeline without a depth or stencil attachment does not have.
constexpr uint64_t kDepthState = kSetsDepthTest | kSetsDepthWrite | kSetsDepthCompareOp |
                                 kSetsBoundsTest | kSetsDepthBounds | kSetsStencilTest |
                                 kSetsStencilCompareMask | kSetsStencilWriteMask |
                                 kSetsStencilReference | kSetsStencilOp;

// The state that the stages may need.
uint64_t ForStages(VkShaderStageFlags stages) {
  uint64_t states = ~uint64_t{0};
  if ((stages & VK_SHADER_STAGE_VERTEX_BIT) == 0) states &= ~kVertexState;
  if ((stages & VK_SHADER_STAGE_FRAGMENT_BIT) == 0) states &= ~(kColorState | kSetsFeedbackLoop);
  if ((stages & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) == 0) states &= ~kSetsPatchPoints;
  if ((stages & VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT) == 0) states &= ~kSetsDomainOrigin;
  if ((stages & VK_SHADER_STAGE_GEOMETRY_BIT) == 0) states &= ~kSetsStream;
  return states;
}

bool VerticesLast(VkShaderStageFlags stages) {
  constexpr VkShaderStageFlags kOthers =
      VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT |
      VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
  return (stages & VK_SHADER_STAGE_VERTEX_BIT) != 0 && (stages & kOthers) == 0;
}

// The values of a pipeline that are on. Only the structures of state that is not dynamic are read.
class FixedValues {
 public:
  FixedValues(const VkGraphicsPipelineCreateInfo& info, uint64_t dynamic)
      : info_(info), dynamic_(dynamic) {}

  uint64_t Raster() {
    const auto* raster = info_.pRasterizationState;
    if (raster == nullptr) return kSetsDiscard;
    Add(kSetsDiscard, raster->rasterizerDiscardEnable);
    Add(kSetsDepthBiasEnable, raster->depthBiasEnable);
    Add(kSetsPolygonMode, raster->polygonMode == VK_POLYGON_MODE_LINE);
    const auto* lines = FindInChain<VkPipelineRasterizationLineStateCreateInfoEXT>(
        raster->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT);
    Add(kSetsStippleEnable, lines != nullptr && lines->stippledLineEnable);
    const auto* conservative = FindInChain<VkPipelineRasterizationConservativeStateCreateInfoEXT>(
        raster->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT);
    Add(kSetsConservative,
        conservative != nullptr && conservative->conservativeRasterizationMode ==
                                       VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT);
    const auto* rectangles = FindInChain<VkPipelineDiscardRectangleStateCreateInfoEXT>(
        info_.pNext, VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT);
    Add(kSetsRectangleEnable, rectangles != nullptr && rectangles->discardRectangleCount != 0);
    return on_;
  }
  void Topology() {
    if ((dynamic_ & kSetsTopology) != 0 || info_.pInputAssemblyState == nullptr) return;
    on_ |= TopologyValue(info_.pInputAssemblyState->topology);
  }
  void Depth() {
    const auto* depth = info_.pDepthStencilState;
    constexpr uint64_t kAll = kSetsDepthTest | kSetsBoundsTest | kSetsStencilTest;
    if (depth == nullptr || (dynamic_ & kAll) == kAll) return;
    Add(kSetsDepthTest, depth->depthTestEnable);
    Add(kSetsBoundsTest, depth->depthBoundsTestEnable);
    Add(kSetsStencilTest, depth->stencilTestEnable);
  }
  void Samples() {
    if (info_.pMultisampleState == nullptr || (dynamic_ & kSetsLocationsEnable) != 0) return;
    const auto* locations = FindInChain<VkPipelineSampleLocationsStateCreateInfoEXT>(
        info_.pMultisampleState->pNext,
        VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT);
    Add(kSetsLocationsEnable, locations != nullptr && locations->sampleLocationsEnable);
  }
  void Colors() {
    const auto* blend = info_.pColorBlendState;
    constexpr uint64_t kAttachments = kSetsBlendEnable | kSetsBlendEquation;
    if (blend == nullptr) return;
    Add(kSetsLogicOpEnable, blend->logicOpEnable);
    if ((dynamic_ & kAttachments) == kAttachments || blend->pAttachments == nullptr ||
        blend->attachmentCount == 0)
      return;
    const auto* end = blend->pAttachments + blend->attachmentCount;
    Add(kSetsBlendEnable, std::all_of(blend->pAttachments, end, [](const auto& attachment) {
          return attachment.blendEnable != VK_FALSE;
        }));
    Add(kSetsBlendEquation, std::all_of(blend->pAttachments, end, [](const auto& attachment) {
          return UsesConstants({attachment.srcColorBlendFactor, attachment.dstColorBlendFactor,
                                attachment.srcAlphaBlendFactor, attachment.dstAlphaBlendFactor});
        }));
  }
  uint64_t on() const { return on_; }

 private:
  void Add(uint64_t state, bool on) {
    if (on && (dynamic_ & state) == 0) on_ |= state;
  }

  const VkGraphicsPipelineCreateInfo& info_;
  uint64_t dynamic_, on_ = 0;
};

}  // namespace

uint64_t TopologyValue(VkPrimitiveTopology topology) {
  switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
      return kSetsTopology;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
      return kIsTriangles;
    default:
      return 0;
  }
}

bool UsesConstants(std::initializer_list<VkBlendFactor> factors) {
  return std::any_of(factors.begin(), factors.end(), [](VkBlendFactor factor) {
    return factor >= VK_BLEND_FACTOR_CONSTANT_COLOR &&
           factor <= VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
  });
}

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

DrawState StateOfPipeline(const VkGraphicsPipelineCreateInfo& info, bool color, bool depth,
                          uint64_t absent) {
  DrawState state;
  uint64_t dynamic = 0;
  for (size_t i = 0; i < kDynamicStates; ++i) {
    if (IsDynamic(info, {kRows[i].state})) dynamic |= uint64_t{1} << i;
  }
  VkShaderStageFlags stages = 0;
  for (uint32_t i = 0; i < info.stageCount; ++i) stages |= info.pStages[i].stage;
  state.vertices_last = VerticesLast(stages);

  FixedValues values(info, dynamic);
  const bool rasterizes = (values.Raster() & kSetsDiscard) == 0;
  if (rasterizes) {
    if (state.vertices_last) values.Topology();
    if (depth) values.Depth();
    if (color) values.Colors();
    values.Samples();
  }
  state.on = values.on();

  const uint64_t used = ForStages(stages);
  state.fixed = ~dynamic & used & ~kColorState & ~kSameCounts;
  if (!rasterizes) state.fixed &= kBeforeRaster;
  if (!depth) state.fixed &= ~kDepthState;
  constexpr uint64_t kBlending = kSetsBlendEquation | kSetsBlendAdvanced;
  if (color && rasterizes) state.fixed |= ~dynamic & used & kColorState;
  if ((dynamic & kBlending) != 0) state.fixed &= ~kBlending;
  // Commands that set a number of viewports set the viewports too.
  if ((dynamic & (kSetsViewport | kSetsViewportCount)) != 0)
    state.fixed &= ~(kSetsViewport | kSetsViewportCount);
  if ((dynamic & (kSetsScissor | kSetsScissorCount)) != 0)
    state.fixed &= ~(kSetsScissor | kSetsScissorCount);
  if ((dynamic & kSetsVertexInput) != 0) state.fixed &= ~kSetsStrides;

  constexpr uint64_t kCounts = kSetsViewportCount | kSetsScissorCount;
  if ((dynamic & kCounts) == kCounts) dynamic |= kSameCounts;
  state.dynamic = dynamic & used & ~absent;
  if (!color) state.dynamic &= ~kColorState;
  const bool bindings = (dynamic & kSetsVertexInput) == 0 && info.pVertexInputState != nullptr &&
                        (stages & VK_SHADER_STAGE_VERTEX_BIT) != 0 &&
                        info.pVertexInputState->vertexBindingDescriptionCount != 0;
  if (!bindings) state.dynamic &= ~kSetsStrides;
  return state;
}

DrawState StateOfShaders(VkShaderStageFlags stages, uint64_t absent) {
  DrawState state;
  state.dynamic = ForStages(stages) & ~absent & ~kOfPipelines & ~kIsTriangles;
  state.vertices_last = VerticesLast(stages);
  state.shaders = true;
  return state;
}

uint64_t MissingState(const DrawState& state, uint64_t set, uint64_t on, bool color) {
  constexpr uint64_t kBlending = kSetsBlendEquation | kSetsBlendAdvanced;
  if ((state.dynamic & kBlending) == kBlending && (set & kBlending) != 0) set |= kBlending;
  // A value that is not set counts as off.
  const uint64_t known = on & set & state.dynamic;
  const uint64_t values = known | (state.on & ~state.dynamic & ~kIsTriangles);
  uint64_t needed = state.dynamic & kBeforeRaster;
  const bool discards = (state.dynamic & kSetsDiscard) != 0
                            ? (set & kSetsDiscard) == 0 || (on & kSetsDiscard) != 0
                            : (state.on & kSetsDiscard) != 0;
  if (discards) return needed & ~set;

  const bool triangles = (state.dynamic & kSetsTopology) != 0
                             ? (set & kSetsTopology) != 0 && (on & kIsTriangles) != 0
                             : (state.on & kIsTriangles) != 0;
  const bool lines = state.vertices_last && ((values & kSetsTopology) != 0 ||
                                             (triangles && (values & kSetsPolygonMode) != 0));
  uint64_t unneeded = 0;
  const auto need = [&](bool needs, uint64_t states) {
    if (!needs) unneeded |= states;
  };
  need(color, kColorState);
  need(lines, kSetsLineWidth | kSetsLineMode | kSetsStippleEnable);
  need((values & kSetsDepthBiasEnable) != 0, kSetsDepthBias);
  need((values & kSetsDepthTest) != 0, kSetsDepthWrite | kSetsDepthCompareOp);
  need((values & kSetsBoundsTest) != 0, kSetsDepthBounds);
  need((values & kSetsStencilTest) != 0,
       kSetsStencilCompareMask | kSetsStencilWriteMask | kSetsStencilReference | kSetsStencilOp);
  need(!state.shaders || (values & (kSetsCullMode | kSetsStencilTest)) != 0, kSetsFrontFace);
  need((values & kSetsStippleEnable) != 0, kSetsStipple);
  need((values & kSetsConservative) != 0, kSetsOverestimation);
  need((values & kSetsRectangleEnable) != 0, kSetsRectangle);
  need((values & kSetsLocationsEnable) != 0, kSetsLocations);
  need((values & kSetsLogicOpEnable) != 0, kSetsLogicOp);
  need((values & kSetsBlendEnable) != 0, kBlending | kSetsBlendConstants);
  need((values & kSetsBlendEquation) != 0, kSetsBlendConstants);
  needed = state.dynamic & ~unneeded;
  return needed & ~set;
}

MissingCommand DescribeMissing(const DrawState& state, uint64_t missing) {
  constexpr uint64_t kBlending = kSetsBlendEquation | kSetsBlendAdvanced;
  const int first = std::countr_zero(missing);
  const uint64_t bit = uint64_t{1} << first;
  const char* usage = kRows[first].usage;
  if ((bit & kBlending) != 0 && (state.dynamic & kBlending) == kBlending) usage = "None-10864";
  if (bit == kSetsRectangle && state.shaders) usage = "rasterizerDiscardEnable-09236";
  return {kRows[first].command, usage};
}

}  // namespace gpusan::vulkan
