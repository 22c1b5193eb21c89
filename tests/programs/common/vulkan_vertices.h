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

// The pipeline reads one attribute from binding 0. Commands set the stride: that of the pipeline is ignored.
[[maybe_unused]] static Rendering MakeStridedRendering(
    uint32_t ignored, VkFormat format = VK_FORMAT_R32G32_SFLOAT, uint32_t offset = 0,
    VkVertexInputRate rate = VK_VERTEX_INPUT_RATE_VERTEX) {
  const VkVertexInputBindingDescription binding = {0, ignored, rate};
  const VkVertexInputAttributeDescription attribute = {0, 0, format, offset};
  VkPipelineVertexInputStateCreateInfo inputs = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  inputs.vertexBindingDescriptionCount = inputs.vertexAttributeDescriptionCount = 1;
  inputs.pVertexBindingDescriptions = &binding;
  inputs.pVertexAttributeDescriptions = &attribute;
  const VkDynamicState state = VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE;
  VkPipelineDynamicStateCreateInfo dynamic = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = 1;
  dynamic.pDynamicStates = &state;
  return MakeRendering(&inputs, &dynamic);
}

// Binds vertex buffer 0.
[[maybe_unused]] static void BindWithStride(const Buffer& buffer, VkDeviceSize stride,
                                            VkDeviceSize offset = 0) {
  vkCmdBindVertexBuffers2(commands, 0, 1, &buffer.handle, &offset, nullptr, &stride);
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
