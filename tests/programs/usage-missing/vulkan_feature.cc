// Defect of_blending: Only the first of two attachments is blended, without the feature
// independentBlend.
// EXPECT error usage-missing vkCreateGraphicsPipelines at CREATE
// EXPECT-FACT vuid=VUID-VkPipelineColorBlendStateCreateInfo-pAttachments-00605
// EXIT any
// Defect of_wide_lines: A pipeline and a command set a line width of 2 without the feature
// wideLines.
// EXPECT error usage-missing vkCreateGraphicsPipelines at CREATE_2
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-00749
// EXPECT error usage-missing vkCmdSetLineWidth at SET
// EXPECT-FACT vuid=VUID-vkCmdSetLineWidth-lineWidth-00788
// EXIT any
// Defect of_edges: A pipeline draws the edges of triangles without the feature fillModeNonSolid.
// EXPECT error usage-missing vkCreateGraphicsPipelines at CREATE_3
// EXPECT-FACT vuid=VUID-VkPipelineRasterizationStateCreateInfo-polygonMode-01507
// EXIT any
// Defect of_anisotropy: Creates an anisotropic sampler without the feature samplerAnisotropy.
// EXPECT error usage-missing vkCreateSampler at CREATE_4
// EXPECT-FACT vuid=VUID-VkSamplerCreateInfo-anisotropyEnable-01070
// EXIT any
// Defect of_several_draws: One command draws twice without the feature multiDrawIndirect.
// EXPECT error usage-missing vkCmdDrawIndirect at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDrawIndirect-drawCount-02718
// EXIT any
// Defect of_a_second_viewport: Commands set a second viewport and scissor without the feature
// multiViewport.
// EXPECT error usage-missing vkCmdSetViewport at VIEWPORT
// EXPECT-FACT vuid=VUID-vkCmdSetViewport-viewportCount-01225
// EXPECT error usage-missing vkCmdSetScissor at SCISSOR
// EXPECT-FACT vuid=VUID-vkCmdSetScissor-firstScissor-00593
// Defect of_the_polygon_mode: VK_EXT_extended_dynamic_state3 is enabled, but not its feature for
// the polygon mode that a command sets.
// EXPECT error usage-missing vkCmdSetPolygonModeEXT at SET_2
// EXPECT-FACT vuid=VUID-vkCmdSetPolygonModeEXT-None-09423
// EXPECT-TEXT extendedDynamicState3PolygonMode
// Defect of_indices_of_a_byte: Binds an index buffer with indices of one byte without the feature
// for them.
// EXPECT error usage-missing vkCmdBindIndexBuffer at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindIndexBuffer-indexType-08787
// EXIT any
// Fix: The feature is enabled.
#include "common/vulkan.h"
#include "common/vulkan_features.h"
#include "common/vulkan_objects.h"

// Fix: The feature is enabled.
static void OfBlending() {
#ifdef DEFECT_of_blending
  OpenWithFeatures({});
#else
  OpenWithFeatures({&VkPhysicalDeviceFeatures::independentBlend});
#endif
  {
    DrawsInfo draws(2);
    draws.blending[0].blendEnable = VK_TRUE;
    VkPipeline pipeline;
    // @CREATE
    OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline));
    vkDestroyPipeline(device, pipeline, nullptr);
  }
  Close();
}

// Fix: Both set 1.
static void OfWideLines() {
  OpenWithFeatures({});
  {
    DrawsInfo draws;
#ifdef DEFECT_of_wide_lines
    draws.state.raster.lineWidth = 2;
#endif
    VkPipeline pipeline;
    // @CREATE_2
    OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline));
    Begin();
    // @SET
    vkCmdSetLineWidth(commands, draws.state.raster.lineWidth);
    OK(vkEndCommandBuffer(commands));
    vkDestroyPipeline(device, pipeline, nullptr);
  }
  Close();
}

// Fix: The feature is enabled.
static void OfEdges() {
#ifdef DEFECT_of_edges
  OpenWithFeatures({});
#else
  OpenWithFeatures({&VkPhysicalDeviceFeatures::fillModeNonSolid});
#endif
  {
    DrawsInfo draws;
    draws.state.raster.polygonMode = VK_POLYGON_MODE_LINE;
    VkPipeline pipeline;
    // @CREATE_3
    OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline));
    vkDestroyPipeline(device, pipeline, nullptr);
  }
  Close();
}

// Fix: The feature is enabled.
static void OfAnisotropy() {
#ifdef DEFECT_of_anisotropy
  OpenForAnisotropy(VK_FALSE);
#else
  OpenForAnisotropy(VK_TRUE);
#endif
  VkSamplerCreateInfo info = PlainSampler();
  info.anisotropyEnable = VK_TRUE;
  info.maxAnisotropy = 2;
  VkSampler sampler;
  // @CREATE_4
  OK(vkCreateSampler(device, &info, nullptr, &sampler));
  Close(sampler);
}

// Fix: The feature is enabled.
static void OfSeveralDraws() {
#ifdef DEFECT_of_several_draws
  OpenWithFeatures({});
#else
  OpenWithFeatures({&VkPhysicalDeviceFeatures::multiDrawIndirect});
#endif
  const Image image = MakeImage(PassImage());
  const VkImageViewCreateInfo view_info = ViewInfo(image.handle);
  VkImageView view;
  OK(vkCreateImageView(device, &view_info, nullptr, &view));
  const Buffer parameters =
      MakeBuffer(2 * sizeof(VkDrawIndirectCommand), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  VkPipeline pipeline;
  {
    const DrawsInfo draws;
    OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline));
  }
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = view;
  color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea.extent = {kPassSize, kPassSize};
  rendering.layerCount = rendering.colorAttachmentCount = 1;
  rendering.pColorAttachments = &color;
  Begin();
  vkCmdBeginRendering(commands, &rendering);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  // @DRAW
  vkCmdDrawIndirect(commands, parameters.handle, 0, 2, sizeof(VkDrawIndirectCommand));
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pipeline, view, parameters, image);
}

// Fix: They set one.
static void OfASecondViewport() {
  OpenWithFeatures({});
  const VkViewport viewports[2] = {{0, 0, 16, 16, 0, 1}, {0, 0, 8, 8, 0, 1}};
  const VkRect2D scissor = {{0, 0}, {16, 16}};
  uint32_t count = 1, index = 0;
#ifdef DEFECT_of_a_second_viewport
  count = 2;
  index = 1;
#endif
  Begin();
  // @VIEWPORT
  vkCmdSetViewport(commands, 0, count, viewports);
  // @SCISSOR
  vkCmdSetScissor(commands, index, 1, &scissor);
  OK(vkEndCommandBuffer(commands));
  Close();
}

// Fix: The feature is enabled.
static void OfThePolygonMode() {
  VkPhysicalDeviceExtendedDynamicState3FeaturesEXT features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT};
  features.extendedDynamicState3AlphaToCoverageEnable = VK_TRUE;
#ifndef DEFECT_of_the_polygon_mode
  features.extendedDynamicState3PolygonMode = VK_TRUE;
#endif
  Open({.extensions = {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME}, .features = &features});
  const auto set_mode = reinterpret_cast<PFN_vkCmdSetPolygonModeEXT>(
      vkGetDeviceProcAddr(device, "vkCmdSetPolygonModeEXT"));
  const auto set_coverage = reinterpret_cast<PFN_vkCmdSetAlphaToCoverageEnableEXT>(
      vkGetDeviceProcAddr(device, "vkCmdSetAlphaToCoverageEnableEXT"));
  NEEDS(set_mode != nullptr && set_coverage != nullptr);
  Begin();
  vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);  // of Vulkan 1.3
  set_coverage(commands, VK_FALSE);
  // @SET_2
  set_mode(commands, VK_POLYGON_MODE_FILL);
  Run();
  Close();
}

// Fix: The indices have two bytes.
static void OfIndicesOfAByte() {
  Open();
  const Buffer indices = MakeBuffer(64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
#ifdef DEFECT_of_indices_of_a_byte
  const VkIndexType type = VK_INDEX_TYPE_UINT8_EXT;
#else
  const VkIndexType type = VK_INDEX_TYPE_UINT16;
#endif
  Begin();
  // @BIND
  vkCmdBindIndexBuffer(commands, indices.handle, 0, type);
  OK(vkEndCommandBuffer(commands));
  Close(indices);
}

int main() {
  OfBlending();
  OfWideLines();
  OfEdges();
  OfAnisotropy();
  OfSeveralDraws();
  OfASecondViewport();
  OfThePolygonMode();
  OfIndicesOfAByte();
}
