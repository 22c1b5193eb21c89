// A device with features, and the create info of a pipeline whose state may need some of them.
#pragma once

#include "common/vulkan_fixed_state.h"
#include "shaders/red.frag.h"
#include "shaders/whole.vert.h"

// Skips the program if the device lacks one of the features. Enables dynamic rendering, too.
[[maybe_unused]] static void OpenWithFeatures(
    const std::vector<VkBool32 VkPhysicalDeviceFeatures::*>& wanted) {
  VkPhysicalDeviceDynamicRenderingFeatures rendering = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  rendering.dynamicRendering = VK_TRUE;
  VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &rendering};
  for (const auto one : wanted) features.features.*one = VK_TRUE;
  Open({.features = &features});
  VkPhysicalDeviceFeatures has;
  vkGetPhysicalDeviceFeatures(physical, &has);
  for (const auto one : wanted) NEEDS(has.*one);
}

// Draws one triangle over all color attachments. Not copyable, because its parts point to each
// other.
struct DrawsInfo {
  explicit DrawsInfo(uint32_t colors = 1) {
    const uint32_t* const codes[2] = {whole_vert, red_frag};
    const size_t bytes[2] = {sizeof(whole_vert), sizeof(red_frag)};
    for (int i = 0; i < 2; ++i) {
      stages[i] = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
      stages[i].stage = i == 0 ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT;
      stages[i].pName = "main";
      stages[i].module = MakeModule(codes[i], bytes[i]);
    }
    info.layout = MakePipelineLayout();
    for (VkPipelineColorBlendAttachmentState& one : blending)
      one.colorWriteMask = VK_COLOR_COMPONENT_R_BIT;
    blend.attachmentCount = formats.colorAttachmentCount = colors;
    blend.pAttachments = blending;
    formats.pColorAttachmentFormats = kFormats;
    info.pNext = &formats;
    info.stageCount = 2;
    info.pStages = stages;
    state.AddTo(&info);
    info.pColorBlendState = &blend;
  }
  ~DrawsInfo() {
    for (const auto& stage : stages) vkDestroyShaderModule(device, stage.module, nullptr);
    vkDestroyPipelineLayout(device, info.layout, nullptr);
  }
  DrawsInfo(const DrawsInfo&) = delete;
  DrawsInfo& operator=(const DrawsInfo&) = delete;

  static constexpr VkFormat kFormats[2] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM};
  FixedState state;
  VkPipelineShaderStageCreateInfo stages[2] = {};
  VkPipelineColorBlendAttachmentState blending[2] = {};
  VkPipelineColorBlendStateCreateInfo blend = {
      VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  VkPipelineRenderingCreateInfo formats = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
};
