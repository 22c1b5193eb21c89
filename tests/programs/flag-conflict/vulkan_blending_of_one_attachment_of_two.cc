// Defect: A pipeline for two color attachments describes the blending of one.
// Fix: It describes the blending of both.
// EXPECT error flag-conflict vkCreateGraphicsPipelines at PIPELINE
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-renderPass-06055
// EXIT any
#include "common/vulkan_features.h"

int main() {
  OpenWithFeatures({});
  {
    DrawsInfo draws(2);
#ifdef DEFECT
    draws.blend.attachmentCount = 1;
#endif
    VkPipeline pipeline = VK_NULL_HANDLE;
    // @PIPELINE
    vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline);
    vkDestroyPipeline(device, pipeline, nullptr);
  }
  Close();
}
