// Draws whose vertex input vkCmdSetVertexInputEXT sets.
#pragma once

#include "common/vulkan_vertices.h"

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

// Location 0 comes from `binding`, and location 1, which no shader declares, from the one behind it.
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
