// The state of a graphics pipeline that draws triangles to the whole of a pass.
#pragma once

#include "common/vulkan_pass.h"

// Without vertex inputs. Not copyable, because its parts point to each other.
struct FixedState {
  FixedState() {
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    view.viewportCount = view.scissorCount = 1;
    view.pViewports = &viewport;
    view.pScissors = &scissor;
    raster.lineWidth = 1;
    samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  }
  FixedState(const FixedState&) = delete;
  FixedState& operator=(const FixedState&) = delete;

  // Sets the pointers to the parts, which must outlive the use of `info`.
  void AddTo(VkGraphicsPipelineCreateInfo* info) const {
    info->pVertexInputState = &vertex;
    info->pInputAssemblyState = &assembly;
    info->pViewportState = &view;
    info->pRasterizationState = &raster;
    info->pMultisampleState = &samples;
  }

  VkPipelineVertexInputStateCreateInfo vertex = {VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly = {VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  VkViewport viewport = {0, 0, kPassSize, kPassSize, 0, 1};
  VkRect2D scissor = {{0, 0}, {kPassSize, kPassSize}};
  VkPipelineViewportStateCreateInfo view = {VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  VkPipelineRasterizationStateCreateInfo raster = {VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  VkPipelineMultisampleStateCreateInfo samples = {VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
};
