// Defect: Creates a pipeline library from another library that is destroyed.
// Fix: Destroys the other library afterwards.
// EXPECT error use-after-free vkCreateGraphicsPipelines at CREATE
// EXPECT-TEXT pLibraries
// EXIT any
#include "common/vulkan_fixed_state.h"

static VkPipeline MakeLibrary(const FixedState& state, VkGraphicsPipelineLibraryFlagsEXT parts,
                              void* chain) {
  VkGraphicsPipelineLibraryCreateInfoEXT library = {
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, chain};
  library.flags = parts;
  const VkPipelineColorBlendStateCreateInfo blend = {
      VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &library};
  state.AddTo(&info);
  info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  info.pColorBlendState = &blend;
  VkPipeline made = VK_NULL_HANDLE;
  // @CREATE
  vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made);
  return made;
}

int main() {
  VkPhysicalDeviceDynamicRenderingFeatures rendering = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  rendering.dynamicRendering = VK_TRUE;
  VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, &rendering};
  features.graphicsPipelineLibrary = VK_TRUE;
  Open({.extensions = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                       VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME},
        .features = &features});
  const FixedState state;
  const VkPipeline inputs =
      MakeLibrary(state, VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT, nullptr);
#ifdef DEFECT
  vkDestroyPipeline(device, inputs, nullptr);
#endif
  VkPipelineRenderingCreateInfo formats = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  VkPipelineLibraryCreateInfoKHR other = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                                &formats, 1, &inputs};
  const VkPipeline both = MakeLibrary(
      state, VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT, &other);
#ifndef DEFECT
  vkDestroyPipeline(device, inputs, nullptr);
#endif
  Close(both);
}
