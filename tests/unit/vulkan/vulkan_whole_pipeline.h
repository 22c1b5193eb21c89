// The state of a graphics pipeline with an empty vertex shader, to which tests add what they need.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>

namespace gpusan::test {

// A vertex shader that writes nothing.
inline constexpr uint32_t kEmptyVertexShader[] = {
    0x07230203,
    0x00010000,
    0,
    5,
    0,  // the header
    2 << 16 | 17,
    1,  // OpCapability Shader
    3 << 16 | 14,
    0,
    1,  // OpMemoryModel Logical GLSL450
    5 << 16 | 15,
    0,
    1,
    0x6e69616d,
    0,  // OpEntryPoint Vertex %1 "main"
    2 << 16 | 19,
    2,  // %2 = OpTypeVoid
    3 << 16 | 33,
    3,
    2,  // %3 = OpTypeFunction %2
    5 << 16 | 54,
    2,
    1,
    0,
    3,  // %1 = OpFunction %2 None %3
    2 << 16 | 248,
    4,
    1 << 16 | 253,
    1 << 16 | 56};  // OpLabel, OpReturn, OpFunctionEnd

// Not copyable, because its parts point to each other.
struct WholePipeline {
  // `create`: vkCreateShaderModule. `rasterizes`: nothing is discarded before rasterization.
  WholePipeline(VkDevice device, PFN_vkCreateShaderModule create, bool rasterizes) {
    VkShaderModuleCreateInfo shader = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    shader.codeSize = sizeof(kEmptyVertexShader);
    shader.pCode = kEmptyVertexShader;
    stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT;
    stages[0].pName = "main";
    create(device, &shader, nullptr, &stages[0].module);
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    raster.rasterizerDiscardEnable = rasterizes ? VK_FALSE : VK_TRUE;
    raster.lineWidth = 1;
    views.viewportCount = views.scissorCount = 1;
    views.pViewports = &viewport;
    views.pScissors = &scissor;
    samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    info.stageCount = 1;
    info.pStages = stages;
    info.pVertexInputState = &vertices;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &views;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
  }
  WholePipeline(const WholePipeline&) = delete;
  WholePipeline& operator=(const WholePipeline&) = delete;

  // The second stage is for the test to fill; stageCount does not count it.
  VkPipelineShaderStageCreateInfo stages[2] = {
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO},
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO}};
  VkPipelineVertexInputStateCreateInfo vertices = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly = {
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  VkViewport viewport = {0, 0, 8, 8, 0, 1};
  VkRect2D scissor = {{0, 0}, {8, 8}};
  VkPipelineViewportStateCreateInfo views = {VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  VkPipelineRasterizationStateCreateInfo raster = {
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  VkPipelineMultisampleStateCreateInfo samples = {
      VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
};

}  // namespace gpusan::test
