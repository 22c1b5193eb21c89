// Draws and dispatches with shader objects instead of a pipeline.
#include <catch2/catch.hpp>

#include "hooks/vulkan/call/later_vulkan.h"
#include "tests/unit/vulkan/vulkan_state_scene.h"

namespace gpusan::test {
namespace {

using List = std::vector<std::string>;

// VkPhysicalDeviceShaderObjectFeaturesEXT, which the headers may lack.
struct ShaderObjectFeatures {
  VkStructureType type = static_cast<VkStructureType>(1000482000);
  void* next = nullptr;
  VkBool32 enabled = VK_TRUE;
};

uint64_t MakeShader(const StateScene& scene) {
  const auto make =
      scene.Get<VkResult(VKAPI_PTR*)(VkDevice, uint32_t, const void*, const VkAllocationCallbacks*,
                                     uint64_t*)>("vkCreateShadersEXT");
  uint64_t shader = 0;
  make(scene.device(), 1, nullptr, nullptr, &shader);
  return shader;
}
// With sets of these layouts, and a push constant range of `bytes` bytes.
uint64_t MakeShader(const StateScene& scene, std::vector<VkDescriptorSetLayout> sets,
                    uint32_t bytes, VkFlags flags = 0) {
  const auto make =
      scene.Get<VkResult(VKAPI_PTR*)(VkDevice, uint32_t, const void*, const VkAllocationCallbacks*,
                                     uint64_t*)>("vkCreateShadersEXT");
  const VkPushConstantRange range = {VK_SHADER_STAGE_ALL_GRAPHICS, 0, bytes};
  vulkan::later::VkShaderCreateInfoEXT info = {};
  info.flags = flags;
  info.setLayoutCount = static_cast<uint32_t>(sets.size());
  info.pSetLayouts = sets.data();
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  uint64_t shader = 0;
  make(scene.device(), 1, &info, nullptr, &shader);
  return shader;
}
VkDescriptorSetLayout MakeLayout(const StateScene& scene, VkDescriptorType type) {
  VkDescriptorSetLayoutBinding binding = {};
  binding.descriptorType = type;
  binding.descriptorCount = 1;
  binding.stageFlags = VK_SHADER_STAGE_ALL_GRAPHICS;
  VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = 1;
  info.pBindings = &binding;
  VkDescriptorSetLayout made = VK_NULL_HANDLE;
  VK(CreateDescriptorSetLayout)(scene.device(), &info, nullptr, &made);
  return made;
}
void DestroyShader(const StateScene& scene, uint64_t shader) {
  scene.Get<void(VKAPI_PTR*)(VkDevice, uint64_t, const VkAllocationCallbacks*)>(
      "vkDestroyShaderEXT")(scene.device(), shader, nullptr);
}

void Submit(const StateScene& scene) {
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &scene.commands;
  VK(QueueSubmit)(scene.queue(), 1, &info, VK_NULL_HANDLE);
}

// `shader`: 0 for VK_NULL_HANDLE.
void BindShader(const StateScene& scene, VkShaderStageFlagBits stage, uint64_t shader) {
  const auto bind =
      scene.Get<void(VKAPI_PTR*)(VkCommandBuffer, uint32_t, const void*, const void*)>(
          "vkCmdBindShadersEXT");
  bind(scene.commands, 1, &stage, &shader);
}

void BeginRendering(const StateScene& scene) {
  VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea.extent = {8, 8};
  rendering.layerCount = 1;
  VK(CmdBeginRendering)(scene.commands, &rendering);
}

TEST_CASE("a draw with shader objects needs all stages and all state") {
  ShaderObjectFeatures features;
  const StateScene scene(0, &features);
  BeginRendering(scene);
  Vuids();
  VK(CmdDraw)(scene.commands, 3, 1, 0, 0);
  CHECK(Vuids() == List{"vkCmdDraw-None-08684"});
  BindShader(scene, VK_SHADER_STAGE_VERTEX_BIT, MakeShader(scene));
  VK(CmdDraw)(scene.commands, 3, 1, 0, 0);
  CHECK(Vuids() == List{"vkCmdDraw-None-08688"});
  BindShader(scene, VK_SHADER_STAGE_FRAGMENT_BIT, 0);
  VK(CmdDraw)(scene.commands, 3, 1, 0, 0);
  CHECK(Vuids() == List{"vkCmdDraw-None-04876"});
  VK(CmdSetRasterizerDiscardEnable)(scene.commands, VK_TRUE);
  VK(CmdSetVertexInputEXT)(scene.commands, 0, nullptr, 0, nullptr);
  VK(CmdSetPrimitiveTopology)(scene.commands, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  VK(CmdDraw)(scene.commands, 3, 1, 0, 0);
  CHECK(Vuids() == List{"vkCmdDraw-None-04879"});
  VK(CmdSetPrimitiveRestartEnable)(scene.commands, VK_FALSE);
  VK(CmdDraw)(scene.commands, 3, 1, 0, 0);
  CHECK(Vuids().empty());
  VK(CmdSetRasterizerDiscardEnable)(scene.commands, VK_FALSE);
  VK(CmdDraw)(scene.commands, 3, 1, 0, 0);
  CHECK(Vuids() == List{"vkCmdDraw-viewportCount-03417"});
}

TEST_CASE("the shader objects of a draw have the same layouts and push constant ranges") {
  ShaderObjectFeatures features;
  const StateScene scene(0, &features);
  BeginRendering(scene);
  VK(CmdSetRasterizerDiscardEnable)(scene.commands, VK_TRUE);
  VK(CmdSetVertexInputEXT)(scene.commands, 0, nullptr, 0, nullptr);
  VK(CmdSetPrimitiveTopology)(scene.commands, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  VK(CmdSetPrimitiveRestartEnable)(scene.commands, VK_FALSE);
  const VkDescriptorSetLayout uniform = MakeLayout(scene, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
  const VkDescriptorSetLayout equal = MakeLayout(scene, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
  const VkDescriptorSetLayout storage = MakeLayout(scene, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  BindShader(scene, VK_SHADER_STAGE_VERTEX_BIT, MakeShader(scene, {uniform}, 16));
  const auto draw = [&](uint64_t fragment) {
    BindShader(scene, VK_SHADER_STAGE_FRAGMENT_BIT, fragment);
    Vuids();
    VK(CmdDraw)(scene.commands, 3, 1, 0, 0);
    return Vuids();
  };
  CHECK(draw(MakeShader(scene, {equal}, 16)).empty());
  CHECK(draw(MakeShader(scene, {storage}, 16)) == List{"vkCmdDraw-None-08879"});
  CHECK(draw(MakeShader(scene, {uniform, uniform}, 16)) == List{"vkCmdDraw-None-08879"});
  CHECK(draw(MakeShader(scene, {uniform}, 32)) == List{"vkCmdDraw-None-08878"});
  CHECK(draw(0).empty());
  // Sets that are independent of each other, and an unknown description.
  CHECK(draw(MakeShader(scene, {storage}, 16, 0x1000)).empty());
  CHECK(draw(MakeShader(scene)).empty());
}

TEST_CASE("a dispatch needs a compute shader") {
  ShaderObjectFeatures features;
  const StateScene scene(0, &features);
  Vuids();
  VK(CmdDispatch)(scene.commands, 1, 1, 1);
  CHECK(Vuids() == List{"vkCmdDispatch-None-10743"});
  BindShader(scene, VK_SHADER_STAGE_COMPUTE_BIT, MakeShader(scene));
  BindShader(scene, VK_SHADER_STAGE_VERTEX_BIT, 0);
  VK(CmdDispatch)(scene.commands, 1, 1, 1);
  CHECK(Vuids().empty());
  BindShader(scene, VK_SHADER_STAGE_COMPUTE_BIT, 0);
  VK(CmdDispatch)(scene.commands, 1, 1, 1);
  CHECK(Vuids() == List{"vkCmdDispatch-None-10743"});
}

TEST_CASE("a shader object lives until the commands that refer to it are complete") {
  ShaderObjectFeatures features;
  const StateScene scene(0, &features);
  const uint64_t shader = MakeShader(scene), other = MakeShader(scene);
  Vuids();
  BindShader(scene, VK_SHADER_STAGE_VERTEX_BIT, shader);
  BindShader(scene, VK_SHADER_STAGE_FRAGMENT_BIT, 0);
  VK(EndCommandBuffer)(scene.commands);
  Submit(scene);
  DestroyShader(scene, other);
  DestroyShader(scene, 0);
  CHECK(Vuids().empty());
  SECTION("pending") {
    DestroyShader(scene, shader);
    CHECK(Vuids() == List{"vkDestroyShaderEXT-shader-08481"});
  }
  SECTION("complete") {
    VK(QueueWaitIdle)(scene.queue());
    DestroyShader(scene, shader);
    CHECK(Vuids().empty());
    // The command buffer still refers to it.
    Submit(scene);
    CHECK(!Vuids().empty());
  }
  SECTION("destroyed before it is bound") {
    VK(QueueWaitIdle)(scene.queue());
    scene.Begin(scene.commands);
    DestroyShader(scene, shader);
    BindShader(scene, VK_SHADER_STAGE_VERTEX_BIT, shader);
    CHECK(!Vuids().empty());
  }
  SECTION("recorded anew without it") {
    VK(QueueWaitIdle)(scene.queue());
    scene.Begin(scene.commands);
    DestroyShader(scene, shader);
    VK(EndCommandBuffer)(scene.commands);
    Submit(scene);
    VK(QueueWaitIdle)(scene.queue());
    CHECK(Vuids().empty());
  }
}

TEST_CASE("without shader objects a dispatch needs a pipeline") {
  const StateScene scene;
  Vuids();
  VK(CmdDispatch)(scene.commands, 1, 1, 1);
  CHECK(Vuids() == List{"vkCmdDispatch-None-08606"});
}

}  // namespace
}  // namespace gpusan::test
