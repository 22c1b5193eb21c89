// Push constants that no layout has, and shaders that read them before any are written.
#include <catch2/catch.hpp>
#include <iterator>

#include "branch.comp.h"
#include "hooks/vulkan/call/later_vulkan.h"
#include "parts.comp.h"
#include "pick.comp.h"
#include "scale.comp.h"
#include "tests/unit/vulkan/vulkan_state_scene.h"

namespace gpusan::test {
namespace {

using List = std::vector<std::string>;

// Returns the findings about push constants: the layouts lack the descriptors of the shaders.
List Found() {
  List found = Vuids();
  std::erase(found, "VkComputePipelineCreateInfo-layout-07988");
  return found;
}

constexpr VkShaderStageFlags kCompute = VK_SHADER_STAGE_COMPUTE_BIT;
constexpr VkShaderStageFlags kGraphics = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

VkPipelineLayout Layout(const StateScene& scene, const std::vector<VkPushConstantRange>& ranges) {
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.pushConstantRangeCount = static_cast<uint32_t>(ranges.size());
  info.pPushConstantRanges = ranges.data();
  VkPipelineLayout layout;
  VK(CreatePipelineLayout)(scene.device(), &info, nullptr, &layout);
  return layout;
}

template <size_t count>
VkPipeline Pipeline(const StateScene& scene, const uint32_t (&words)[count],
                    VkPipelineLayout layout) {
  VkShaderModuleCreateInfo code = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  code.codeSize = sizeof(words);
  code.pCode = words;
  VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.pName = "main";
  VK(CreateShaderModule)(scene.device(), &code, nullptr, &info.stage.module);
  info.layout = layout;
  VkPipeline pipeline;
  VK(CreateComputePipelines)(scene.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  return pipeline;
}

TEST_CASE("a write of push constants fits the ranges of its layout") {
  const StateScene scene;
  const VkPipelineLayout layout = Layout(scene, {{kGraphics, 0, 16}, {kCompute, 8, 24}});
  const char data[64] = {};
  const auto push = [&](VkShaderStageFlags stages, uint32_t offset, uint32_t size) {
    VK(CmdPushConstants)(scene.commands, layout, stages, offset, size, data);
    return Found();
  };
  CHECK(push(kGraphics, 0, 8) == List());
  CHECK(push(kGraphics, 0, 8) == List());  // by the fast path
  CHECK(push(kGraphics | kCompute, 8, 8) == List());
  CHECK(push(kCompute, 16, 16) == List());
  CHECK(push(kCompute, 16, 20) == List{"vkCmdPushConstants-offset-01795"});
  CHECK(push(kGraphics, 4, 16) == List{"vkCmdPushConstants-offset-01796"});
  CHECK(push(VK_SHADER_STAGE_VERTEX_BIT, 0, 8) == List{"vkCmdPushConstants-offset-01796"});
  CHECK(push(VK_SHADER_STAGE_GEOMETRY_BIT, 40, 8) == List{"vkCmdPushConstants-offset-01795"});
  const VkPipelineLayout none = Layout(scene, {});
  VK(CmdPushConstants)(scene.commands, none, kCompute, 0, 4, data);
  CHECK(Found() == List{"vkCmdPushConstants-offset-01795"});
}

TEST_CASE("a shader reads push constants that were written in its command buffer") {
  const StateScene scene;
  const VkPipelineLayout layout = Layout(scene, {{kCompute, 0, 4}});
  const VkPipeline reads = Pipeline(scene, pick_comp, layout);
  const VkPipeline reads_none = Pipeline(scene, scale_comp, layout);
  CHECK(Found() == List());
  Pipeline(scene, scale_comp, Layout(scene, {}));
  CHECK(Found() == List());
  Pipeline(scene, pick_comp, Layout(scene, {{kGraphics, 0, 4}}));
  CHECK(Found() == List{"VkComputePipelineCreateInfo-layout-07987"});
  Pipeline(scene, parts_comp, Layout(scene, {{kCompute, 0, 8}, {kGraphics, 8, 32}}));
  CHECK(Found() == List{"VkComputePipelineCreateInfo-layout-10069"});

  const auto dispatch = [&](VkPipeline pipeline) {
    VK(CmdBindPipeline)(scene.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    VK(CmdDispatch)(scene.commands, 1, 1, 1);
    return Found();
  };
  const uint32_t index = 0;
  CHECK(dispatch(reads_none) == List());
  CHECK(dispatch(reads) == List{"vkCmdDispatch-None-08601"});
  VK(CmdPushConstants)(scene.commands, layout, kCompute, 0, 4, &index);
  CHECK(dispatch(reads) == List());
  VK(CmdDispatch)(scene.commands, 1, 1, 1);
  CHECK(Found() == List());
  // The pipeline may be bound first.
  scene.Begin(scene.commands);
  VK(CmdBindPipeline)(scene.commands, VK_PIPELINE_BIND_POINT_COMPUTE, reads);
  VK(CmdPushConstants)(scene.commands, layout, kCompute, 0, 4, &index);
  VK(CmdDispatch)(scene.commands, 1, 1, 1);
  CHECK(Found() == List());
  scene.Begin(scene.commands);
  CHECK(dispatch(reads) == List{"vkCmdDispatch-None-08601"});
  // What vkCmdPushDataEXT writes is not read.
  scene.Begin(scene.commands);
  scene.Get<void(VKAPI_PTR*)(VkCommandBuffer, const void*)>("vkCmdPushDataEXT")(scene.commands,
                                                                                &index);
  CHECK(dispatch(reads) == List());
}

TEST_CASE("vkCmdPushConstants2 writes push constants") {
  const StateScene scene;
  const VkPipelineLayout layout = Layout(scene, {{kCompute, 0, 40}});
  const VkPipeline parts = Pipeline(scene, parts_comp, layout);
  const char data[40] = {};
  vulkan::later::VkPushConstantsInfo info = {
      static_cast<VkStructureType>(1000545001), nullptr, layout, kCompute, 0, 4, data};
  const auto push =
      scene.Get<void(VKAPI_PTR*)(VkCommandBuffer, const void*)>("vkCmdPushConstants2");
  const auto dispatch = [&] {
    VK(CmdBindPipeline)(scene.commands, VK_PIPELINE_BIND_POINT_COMPUTE, parts);
    VK(CmdDispatch)(scene.commands, 1, 1, 1);
    return Found();
  };
  push(scene.commands, &info);
  CHECK(dispatch() == List{"vkCmdDispatch-None-08601"});
  info.size = 40;
  push(scene.commands, &info);
  CHECK(dispatch() == List());
  // The other function writes the rest.
  scene.Begin(scene.commands);
  info.size = 8;
  push(scene.commands, &info);
  VK(CmdPushConstants)(scene.commands, layout, kCompute, 8, 32, data);
  CHECK(dispatch() == List());
  // A layout that the program has not created as an object.
  scene.Begin(scene.commands);
  info.layout = VK_NULL_HANDLE;
  push(scene.commands, &info);
  CHECK(dispatch() == List());
}

TEST_CASE("a shader reads only some of its push constants") {
  const StateScene scene;
  const VkPipelineLayout layout = Layout(scene, {{kCompute, 0, 40}});
  const VkPipeline parts = Pipeline(scene, parts_comp, layout);
  const char data[40] = {};
  const auto push = [&](uint32_t offset, uint32_t size) {
    VK(CmdPushConstants)(scene.commands, layout, kCompute, offset, size, data);
  };
  const auto dispatch = [&] {
    VK(CmdBindPipeline)(scene.commands, VK_PIPELINE_BIND_POINT_COMPUTE, parts);
    VK(CmdDispatch)(scene.commands, 1, 1, 1);
    return Found();
  };
  const List missing = {"vkCmdDispatch-None-08601"};
  push(0, 4);
  CHECK(dispatch() == missing);
  push(8, 4);
  push(36, 4);
  CHECK(dispatch() == missing);
  // One element of the array is enough, and neither the second component nor the member between.
  push(28, 4);
  CHECK(dispatch() == List());
  push(28, 4);
  CHECK(dispatch() == List());
  scene.Begin(scene.commands);
  push(4, 36);
  CHECK(dispatch() == missing);
  push(0, 4);
  VK(CmdDispatch)(scene.commands, 1, 1, 1);
  CHECK(Found() == List());
}

TEST_CASE("with maintenance4 only push constants count that each invocation reads") {
  VkPhysicalDeviceMaintenance4Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES};
  for (const bool enabled : {false, true}) {
    features.maintenance4 = enabled;
    const StateScene scene(0, &features);
    const VkPipelineLayout layout = Layout(scene, {{kCompute, 0, 8}});
    const VkPipeline branch = Pipeline(scene, branch_comp, layout);
    const uint32_t mode = 0;
    const List missing = {"vkCmdDispatch-None-08601"};
    VK(CmdBindPipeline)(scene.commands, VK_PIPELINE_BIND_POINT_COMPUTE, branch);
    VK(CmdDispatch)(scene.commands, 1, 1, 1);
    CHECK(Found() == missing);
    VK(CmdPushConstants)(scene.commands, layout, kCompute, 0, 4, &mode);
    VK(CmdDispatch)(scene.commands, 1, 1, 1);
    CHECK(Found() == (enabled ? List() : missing));
  }
}

}  // namespace
}  // namespace gpusan::test
