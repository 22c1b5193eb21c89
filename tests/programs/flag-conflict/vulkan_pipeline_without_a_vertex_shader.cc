// Defect: A pipeline has a fragment shader alone.
// Fix: It has a vertex shader, too.
// EXPECT error flag-conflict vkCreateGraphicsPipelines at PIPELINE
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-stage-02096
// EXIT any
#include "common/vulkan_features.h"

int main() {
  OpenWithFeatures({});
  {
    DrawsInfo draws;
#ifdef DEFECT
    draws.info.stageCount = 1;
    draws.info.pStages = &draws.stages[1];
#endif
    VkPipeline pipeline = VK_NULL_HANDLE;
    // @PIPELINE
    vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline);
    vkDestroyPipeline(device, pipeline, nullptr);
  }
  Close();
}
