// Defect: A pipeline for a depth attachment has no state of the depth test.
// Fix: It has the state.
// EXPECT error invalid-pointer vkCreateGraphicsPipelines at PIPELINE
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-renderPass-09033
// EXIT any
#include "common/vulkan_features.h"

int main() {
  OpenWithFeatures({});
  {
    DrawsInfo draws;
    draws.formats.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT;
#ifndef DEFECT
    VkPipelineDepthStencilStateCreateInfo depth = {
        VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    draws.info.pDepthStencilState = &depth;
#endif
    VkPipeline pipeline = VK_NULL_HANDLE;
    // @PIPELINE
    vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline);
    vkDestroyPipeline(device, pipeline, nullptr);
  }
  Close();
}
