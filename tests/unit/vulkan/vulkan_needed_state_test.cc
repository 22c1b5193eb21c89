// The dynamic state that draws need, by the stages and by the values of enables.
#include "hooks/vulkan/shaders/needed_state.h"

#include "hooks/vulkan/call/state_features.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace gpusan::vulkan {
namespace {

// A pipeline with a vertex and a fragment shader, that draws triangles to a color attachment.
struct Scene {
  VkPipelineShaderStageCreateInfo stages[2] = {};
  VkPipelineInputAssemblyStateCreateInfo assembly = {};
  VkPipelineRasterizationStateCreateInfo raster = {};
  VkPipelineDepthStencilStateCreateInfo depth = {};
  VkPipelineColorBlendAttachmentState color = {};
  VkPipelineColorBlendStateCreateInfo blend = {};
  VkPipelineDynamicStateCreateInfo dynamic = {};
  VkGraphicsPipelineCreateInfo info = {};
  std::vector<VkDynamicState> states;

  explicit Scene(std::vector<VkDynamicState> given) : states(std::move(given)) {
    stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT;
    stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    blend.attachmentCount = 1;
    blend.pAttachments = &color;
    dynamic.dynamicStateCount = static_cast<uint32_t>(states.size());
    dynamic.pDynamicStates = states.data();
    info.stageCount = 2;
    info.pStages = stages;
    info.pInputAssemblyState = &assembly;
    info.pRasterizationState = &raster;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
  }
  DrawState State() const { return StateOfPipeline(info, true, true, 0); }
};

// The end of the valid usage of the draw; empty: nothing is missing.
std::string Missing(const DrawState& state, uint64_t set, uint64_t on = 0, bool color = true) {
  const uint64_t missing = MissingState(state, set, on, color);
  return missing == 0 ? "" : DescribeMissing(state, missing).usage;
}

TEST_CASE("The width of lines is needed for lines only") {
  Scene scene({VK_DYNAMIC_STATE_LINE_WIDTH});
  CHECK(Missing(scene.State(), 0).empty());
  scene.raster.polygonMode = VK_POLYGON_MODE_LINE;
  CHECK(Missing(scene.State(), 0) == "None-08617");
  CHECK(Missing(scene.State(), kSetsLineWidth).empty());
  // The topology of a geometry shader is not known.
  scene.stages[1].stage = VK_SHADER_STAGE_GEOMETRY_BIT;
  CHECK(Missing(scene.State(), 0).empty());
  scene.stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
  scene.raster.polygonMode = VK_POLYGON_MODE_FILL;
  scene.assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
  CHECK(Missing(scene.State(), 0) == "None-08617");
  // Nothing is rasterized.
  scene.raster.rasterizerDiscardEnable = VK_TRUE;
  CHECK(Missing(scene.State(), 0).empty());
}

TEST_CASE("Commands set the topology and the polygon mode that decide about lines") {
  const Scene scene({VK_DYNAMIC_STATE_LINE_WIDTH, VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                     VK_DYNAMIC_STATE_POLYGON_MODE_EXT});
  const DrawState state = scene.State();
  const uint64_t set = kSetsTopology | kSetsPolygonMode;
  CHECK(Missing(state, kSetsPolygonMode) == "None-07842");
  CHECK(Missing(state, set, TopologyValue(VK_PRIMITIVE_TOPOLOGY_LINE_LIST)) == "None-08617");
  CHECK(Missing(state, set, TopologyValue(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN)).empty());
  CHECK(Missing(state, set, TopologyValue(VK_PRIMITIVE_TOPOLOGY_POINT_LIST) | kSetsPolygonMode)
            .empty());
  CHECK(Missing(state, set, TopologyValue(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN) | kSetsPolygonMode) ==
        "None-08617");
}

TEST_CASE("Dynamic state needs a feature of its extension, or Vulkan 1.3") {
  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  CHECK(RefusedStates(info, VK_API_VERSION_1_2) == kFeatureStates);
  CHECK(RefusedStates(info, VK_API_VERSION_1_3) == (kOptionalStates2 | kStates3));
  VkPhysicalDeviceExtendedDynamicStateFeaturesEXT of_1 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT, nullptr, VK_TRUE};
  VkPhysicalDeviceExtendedDynamicState2FeaturesEXT of_2 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT, &of_1, VK_TRUE,
      VK_FALSE, VK_TRUE};
  VkPhysicalDeviceExtendedDynamicState3FeaturesEXT of_3 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, &of_2};
  of_3.extendedDynamicState3PolygonMode = VK_TRUE;
  info.pNext = &of_3;
  CHECK(RefusedStates(info, VK_API_VERSION_1_0) == (kSetsLogicOp | (kStates3 & ~kSetsPolygonMode)));
  of_3.extendedDynamicState3ShadingRateImageEnable = VK_TRUE;
  CHECK((RefusedStates(info, VK_API_VERSION_1_0) & kSetsRateImage) == 0);
  // Of shader objects, all state is dynamic.
  const struct {
    VkStructureType type;
    const void* next;
    VkBool32 enabled;
  } shaders = {static_cast<VkStructureType>(1000482000), nullptr, VK_TRUE};
  info.pNext = &shaders;
  CHECK(RefusedStates(info, VK_API_VERSION_1_0) == 0);
}

TEST_CASE("The feature of each dynamic state has a name and valid usages") {
  for (uint64_t left = kFeatureStates; left != 0; left &= left - 1) {
    const StateFeature feature = FeatureOfState(left & (~left + 1));
    CHECK(std::string(feature.name).starts_with("extendedDynamicState"));
    CHECK(std::string(feature.command).starts_with("None-0"));
  }
  CHECK(FeatureOfState(kSetsRateImage).pipeline ==
        "VkGraphicsPipelineCreateInfo-extendedDynamicState3ShadingRateImageEnable-07400");
  CHECK(FeatureOfState(kSetsCoverageReduction).pipeline ==
        "VkGraphicsPipelineCreateInfo-extendedDynamicState3CoverageReductionMode-07398");
}

TEST_CASE("A test that is off needs no other state") {
  Scene scene({VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
               VK_DYNAMIC_STATE_STENCIL_REFERENCE, VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
               VK_DYNAMIC_STATE_DEPTH_BOUNDS});
  CHECK(Missing(scene.State(), kSetsBoundsTest).empty());
  CHECK(Missing(scene.State(), kSetsBoundsTest, kSetsBoundsTest) == "None-07836");
  CHECK(Missing(scene.State(), 0) == "None-07846");
  scene.depth.depthTestEnable = VK_TRUE;
  CHECK(Missing(scene.State(), kSetsBoundsTest) == "None-07844");
  CHECK(Missing(scene.State(), kSetsBoundsTest | kSetsDepthWrite) == "None-07845");
  scene.depth.depthTestEnable = VK_FALSE;
  scene.depth.stencilTestEnable = VK_TRUE;
  CHECK(Missing(scene.State(), kSetsBoundsTest) == "None-07839");
}

TEST_CASE("Blending with constants needs the constants") {
  Scene scene({VK_DYNAMIC_STATE_BLEND_CONSTANTS});
  scene.color.srcColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_COLOR;
  CHECK(Missing(scene.State(), 0).empty());
  scene.color.blendEnable = VK_TRUE;
  CHECK(Missing(scene.State(), 0) == "None-07835");
  CHECK(Missing(scene.State(), 0, 0, false).empty());
  scene.color.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
  CHECK(Missing(scene.State(), 0).empty());
}

TEST_CASE("One of the two commands suffices for the equation if both kinds are dynamic") {
  Scene scene({VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT});
  scene.color.blendEnable = VK_TRUE;
  CHECK(Missing(scene.State(), 0) == "None-10862");
  CHECK(Missing(scene.State(), kSetsBlendAdvanced) == "None-10862");
  Scene both(
      {VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT});
  both.color.blendEnable = VK_TRUE;
  CHECK(Missing(both.State(), 0) == "None-10864");
  CHECK(Missing(both.State(), kSetsBlendAdvanced).empty());
}

TEST_CASE("A draw that discards all primitives needs no state of rasterization") {
  const Scene scene({VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, VK_DYNAMIC_STATE_CULL_MODE});
  CHECK(Missing(scene.State(), 0) == "None-04876");
  CHECK(Missing(scene.State(), kSetsDiscard) == "None-07840");
  CHECK(Missing(scene.State(), kSetsDiscard, kSetsDiscard).empty());
}

TEST_CASE("A pipeline replaces the state that it has itself") {
  Scene scene({VK_DYNAMIC_STATE_VIEWPORT});
  CHECK((scene.State().fixed & kSetsScissor) != 0);
  CHECK((scene.State().fixed & (kSetsViewport | kSetsViewportCount)) == 0);
  CHECK((scene.State().fixed & kSetsPatchPoints) == 0);
  // It has no depth state without an attachment for it.
  CHECK((scene.State().fixed & kSetsDepthTest) != 0);
  CHECK((StateOfPipeline(scene.info, true, false, 0).fixed & kSetsDepthTest) == 0);
  scene.raster.rasterizerDiscardEnable = VK_TRUE;
  CHECK((scene.State().fixed & kSetsScissor) == 0);
}

TEST_CASE("Shader objects need all state of their stages") {
  constexpr VkShaderStageFlags kVertices = VK_SHADER_STAGE_VERTEX_BIT;
  const DrawState all = StateOfShaders(kVertices | VK_SHADER_STAGE_FRAGMENT_BIT, kSetsDepthClamp);
  CHECK(Missing(all, 0) == "None-04876");
  CHECK(Missing(all, kSetsDiscard) == "viewportCount-03417");
  CHECK(Missing(all, ~kSetsBlendEnable) == "None-07627");
  CHECK(Missing(all, ~kSetsBlendEnable, 0, false).empty());
  CHECK(Missing(all, ~kSetsDepthClamp).empty());
  CHECK(Missing(all, ~kSetsFrontFace).empty());
  CHECK(Missing(all, ~kSetsFrontFace, kSetsCullMode) == "None-07841");
  CHECK(Missing(all, ~kSetsVertexInput) == "None-04914");
  CHECK(Missing(all, ~(kSetsViewport | kSetsScissor)).empty());
  const DrawState mesh = StateOfShaders(VK_SHADER_STAGE_MESH_BIT_EXT, 0);
  CHECK(Missing(mesh, ~(kSetsVertexInput | kSetsTopology | kSetsBlendEnable)).empty());
}

}  // namespace
}  // namespace gpusan::vulkan
