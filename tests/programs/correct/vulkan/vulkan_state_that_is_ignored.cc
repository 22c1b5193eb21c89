// The driver ignores state that a pipeline does not use, and the pointers to it may be invalid: blending
// where the pass draws no color, depth where nothing is rasterized, and all state of the other parts of a
// pipeline that is linked.
#include "common/vulkan_deferred.h"

namespace {

template <typename T>
const T* Nowhere() {
  return reinterpret_cast<const T*>(uintptr_t{16});
}

VkRenderPass MakeDepthPass() {
  VkAttachmentDescription attachment = {};
  attachment.format = VK_FORMAT_D32_SFLOAT;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
  const VkAttachmentReference depth = {0, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass = {};
  subpass.pDepthStencilAttachment = &depth;
  VkRenderPassCreateInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 1;
  info.pAttachments = &attachment;
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  VkRenderPass pass;
  OK(vkCreateRenderPass(device, &info, nullptr, &pass));
  return pass;
}

void Make(const VkGraphicsPipelineCreateInfo& info) {
  VkPipeline pipeline;
  OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  vkDestroyPipeline(device, pipeline, nullptr);
}

}  // namespace

int main() {
  Open();
  // Some drivers read this state, and crash without gpusan too.
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  NEEDS(properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU);
  uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, extensions.data());
  bool has_parts = false;
  for (const VkExtensionProperties& extension : extensions)
    has_parts |= strcmp(extension.extensionName, "VK_EXT_graphics_pipeline_library") == 0;
  Close();
  VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT};
  features.graphicsPipelineLibrary = VK_TRUE;
  Wanted wanted;
  if (has_parts) {
    wanted.extensions = {"VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library"};
    wanted.features = &features;
  }
  Open(wanted);
  const VkRenderPass pass = MakeDepthPass();
  const VkPipelineLayout layout = MakePipelineLayout();
  VkShaderModule module = MakeModule(whole_vert, sizeof(whole_vert));
  VkPipelineShaderStageCreateInfo stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  stage.stage = VK_SHADER_STAGE_VERTEX_BIT;
  stage.module = module;
  stage.pName = "main";
  FixedState state;
  VkPipelineDepthStencilStateCreateInfo depth = {
      VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = depth.depthWriteEnable = VK_TRUE;
  depth.depthCompareOp = VK_COMPARE_OP_LESS;
  VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.stageCount = 1;
  info.pStages = &stage;
  state.AddTo(&info);
  info.pDepthStencilState = &depth;
  info.pColorBlendState = Nowhere<VkPipelineColorBlendStateCreateInfo>();
  info.layout = layout;
  info.renderPass = pass;
  Make(info);
  state.raster.rasterizerDiscardEnable = VK_TRUE;
  info.pDepthStencilState = Nowhere<VkPipelineDepthStencilStateCreateInfo>();
  Make(info);
  if (has_parts) {
    VkGraphicsPipelineLibraryCreateInfoEXT part = {
        VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT};
    part.flags = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
    VkGraphicsPipelineCreateInfo inputs = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &part};
    inputs.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    inputs.pVertexInputState = &state.vertex;
    inputs.pInputAssemblyState = &state.assembly;
    inputs.pRasterizationState = Nowhere<VkPipelineRasterizationStateCreateInfo>();
    inputs.pColorBlendState = Nowhere<VkPipelineColorBlendStateCreateInfo>();
    inputs.pDepthStencilState = Nowhere<VkPipelineDepthStencilStateCreateInfo>();
    Make(inputs);
  }
  Close(module, layout, pass);
}
