// Dynamic rendering of the vertices of bound buffers.
#pragma once

#include "common/vulkan_rendering.h"

constexpr uint32_t kVertexBytes = 8;

// The pipeline reads the vertices of binding 0. It also describes an attribute from binding 1,
// which its vertex shader does not declare.
[[maybe_unused]] static Rendering MakeVertexRendering() {
  const VkVertexInputBindingDescription bindings[] = {
      {0, kVertexBytes, VK_VERTEX_INPUT_RATE_VERTEX},
      {1, kVertexBytes, VK_VERTEX_INPUT_RATE_VERTEX}};
  const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0},
                                                          {1, 1, VK_FORMAT_R32G32_SFLOAT, 0}};
  VkPipelineVertexInputStateCreateInfo inputs = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  inputs.vertexBindingDescriptionCount = inputs.vertexAttributeDescriptionCount = 2;
  inputs.pVertexBindingDescriptions = bindings;
  inputs.pVertexAttributeDescriptions = attributes;
  return MakeRendering(&inputs);
}

// Begins to record draws with the pipeline.
[[maybe_unused]] static void BeginDraws(const Rendering& rendering) {
  Begin();
  BeginRendering(rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
}
[[maybe_unused]] static void EndDraws() {
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
}
