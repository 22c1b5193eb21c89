// Defect blending_of_integers: A pipeline blends an attachment whose format has integers.
// EXPECT error flag-conflict vkCreateGraphicsPipelines at PIPELINE
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-renderPass-06062
// EXIT any
// Defect blending_of_more_than_the_pass_has: A pipeline for a render pass with one color attachment
// describes the blending of two.
// EXPECT error flag-conflict vkCreateGraphicsPipelines at PIPELINE_2
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-renderPass-07609
// EXIT any
// Defect blending_of_one_attachment_of_two: A pipeline for two color attachments describes the
// blending of one.
// EXPECT error flag-conflict vkCreateGraphicsPipelines at PIPELINE_3
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-renderPass-06055
// EXIT any
// Defect without_a_vertex_shader: A pipeline has a fragment shader alone.
// EXPECT error flag-conflict vkCreateGraphicsPipelines at PIPELINE_4
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-stage-02096
// EXIT any
// Defect without_viewports: A pipeline whose viewport commands set has the viewportCount 0.
// EXPECT error flag-conflict vkCreateGraphicsPipelines at PIPELINE_5
// EXPECT-FACT vuid=VUID-VkPipelineViewportStateCreateInfo-viewportCount-04135
// EXIT any
// Fix: The pipeline has the state that its render pass needs.
#include "common/vulkan_features.h"
#include "common/vulkan_pass.h"

// Fix: It blends an attachment of a format that the device can blend.
static void BlendingOfIntegers() {
  DrawsInfo draws;
  draws.blending[0].blendEnable = VK_TRUE;
  draws.blending[0].srcColorBlendFactor = VK_BLEND_FACTOR_ONE;
  draws.blending[0].dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
#ifdef DEFECT_blending_of_integers
  const VkFormat integers = VK_FORMAT_R8G8B8A8_UINT;
  draws.formats.pColorAttachmentFormats = &integers;
#endif
  VkPipeline pipeline = VK_NULL_HANDLE;
  // @PIPELINE
  vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline);
  vkDestroyPipeline(device, pipeline, nullptr);
}

// Fix: It describes the blending of one.
static void BlendingOfMoreThanThePassHas() {
  const VkRenderPass pass = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR);
  {
    DrawsInfo draws;
    draws.info.pNext = nullptr;
    draws.info.renderPass = pass;
#ifdef DEFECT_blending_of_more_than_the_pass_has
    draws.blend.attachmentCount = 2;
#endif
    VkPipeline pipeline = VK_NULL_HANDLE;
    // @PIPELINE_2
    vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline);
    vkDestroyPipeline(device, pipeline, nullptr);
  }
  Destroy(pass);
}

// Fix: It describes the blending of both.
static void BlendingOfOneAttachmentOfTwo() {
  DrawsInfo draws(2);
#ifdef DEFECT_blending_of_one_attachment_of_two
  draws.blend.attachmentCount = 1;
#endif
  VkPipeline pipeline = VK_NULL_HANDLE;
  // @PIPELINE_3
  vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline);
  vkDestroyPipeline(device, pipeline, nullptr);
}

// Fix: It has a vertex shader, too.
static void WithoutAVertexShader() {
  DrawsInfo draws;
#ifdef DEFECT_without_a_vertex_shader
  draws.info.stageCount = 1;
  draws.info.pStages = &draws.stages[1];
#endif
  VkPipeline pipeline = VK_NULL_HANDLE;
  // @PIPELINE_4
  vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline);
  vkDestroyPipeline(device, pipeline, nullptr);
}

// Fix: Its viewportCount is 1.
static void WithoutViewports() {
  DrawsInfo draws;
  const VkDynamicState state = VK_DYNAMIC_STATE_VIEWPORT;
  VkPipelineDynamicStateCreateInfo dynamic = {
      VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = 1;
  dynamic.pDynamicStates = &state;
  draws.info.pDynamicState = &dynamic;
#ifdef DEFECT_without_viewports
  draws.state.view.viewportCount = 0;
#endif
  VkPipeline pipeline = VK_NULL_HANDLE;
  // @PIPELINE_5
  vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline);
  vkDestroyPipeline(device, pipeline, nullptr);
}

int main() {
  OpenWithFeatures({});
  BlendingOfIntegers();
  BlendingOfMoreThanThePassHas();
  BlendingOfOneAttachmentOfTwo();
  WithoutAVertexShader();
  WithoutViewports();
  Close();
}
