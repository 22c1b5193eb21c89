// Dynamic rendering of vertices, indices and parameters of bound buffers.
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

// The pipeline reads one attribute from binding 0. Commands set the stride: that of the pipeline is
// ignored.
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

// Any index of 16 bits names a vertex.
constexpr VkDeviceSize kVerticesBytes = 65536 * kVertexBytes;
constexpr VkDeviceSize kInputBytes = 1 << 20;

struct Inputs {
  Rendering rendering;
  Buffer vertices, indices, parameters;
};

[[maybe_unused]] static Inputs MakeInputs() {
  Inputs made;
  made.rendering = MakeVertexRendering();
  made.vertices = MakeBuffer(kVerticesBytes, kCopies | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  made.indices = MakeBuffer(kInputBytes, kCopies | VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  made.parameters = MakeBuffer(kInputBytes, kCopies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  return made;
}

// Fills bytes of a buffer with zeros.
[[maybe_unused]] static void Fill(const Buffer& buffer, VkDeviceSize offset, VkDeviceSize bytes) {
  vkCmdFillBuffer(commands, buffer.handle, offset, bytes, 0);
}

// Begins draws behind the fills.
[[maybe_unused]] static void BeginInputDraws(const Inputs& inputs) {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                       0, 1, &barrier, 0, nullptr, 0, nullptr);
  BeginRendering(inputs.rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, inputs.rendering.draws);
  const VkDeviceSize none = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &inputs.vertices.handle, &none);
  vkCmdBindIndexBuffer(commands, inputs.indices.handle, 0, VK_INDEX_TYPE_UINT16);
}

[[maybe_unused]] static void Destroy(const Inputs& inputs) {
  for (const Buffer& buffer : {inputs.vertices, inputs.indices, inputs.parameters}) Destroy(buffer);
  Destroy(inputs.rendering);
}

// With vkCmdDrawIndirectCount.
[[maybe_unused]] static void OpenForDrawCounts() {
  VkPhysicalDeviceVulkan12Features counts = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  counts.drawIndirectCount = VK_TRUE;
  VkPhysicalDeviceDynamicRenderingFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  features.pNext = &counts;
  features.dynamicRendering = VK_TRUE;
  Open({.features = &features});
}

// Draws whose vertex input vkCmdSetVertexInputEXT sets.
static PFN_vkCmdSetVertexInputEXT set_vertex_input;

[[maybe_unused]] static void OpenForDynamicInputs() {
  static VkPhysicalDeviceDynamicRenderingFeatures rendering = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  rendering.dynamicRendering = VK_TRUE;
  static VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT};
  features.pNext = &rendering;
  features.vertexInputDynamicState = VK_TRUE;
  Open({.extensions = {VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME}, .features = &features});
  set_vertex_input = reinterpret_cast<PFN_vkCmdSetVertexInputEXT>(
      vkGetDeviceProcAddr(device, "vkCmdSetVertexInputEXT"));
}

// The vertex shader declares location 0.
[[maybe_unused]] static Rendering MakeDynamicInputs() {
  const VkPipelineVertexInputStateCreateInfo ignored = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  const VkDynamicState state = VK_DYNAMIC_STATE_VERTEX_INPUT_EXT;
  VkPipelineDynamicStateCreateInfo dynamic = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = 1;
  dynamic.pDynamicStates = &state;
  return MakeRendering(&ignored, &dynamic);
}

// Location 0 comes from `binding`, and location 1, which no shader declares, from the one behind
// it.
[[maybe_unused]] static void SetInput(uint32_t binding, uint32_t stride,
                                      VkVertexInputRate rate = VK_VERTEX_INPUT_RATE_VERTEX) {
  VkVertexInputBindingDescription2EXT bindings[2] = {};
  VkVertexInputAttributeDescription2EXT attributes[2] = {};
  for (uint32_t i = 0; i < 2; ++i) {
    bindings[i].sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT;
    bindings[i].binding = binding + i;
    bindings[i].stride = stride;
    bindings[i].inputRate = rate;
    bindings[i].divisor = 1;
    attributes[i].sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT;
    attributes[i].location = i;
    attributes[i].binding = binding + i;
    attributes[i].format = VK_FORMAT_R32G32_SFLOAT;
  }
  set_vertex_input(commands, 2, bindings, 2, attributes);
}
