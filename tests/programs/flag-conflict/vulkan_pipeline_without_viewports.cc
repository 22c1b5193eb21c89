// Defect: A pipeline whose viewport commands set has the viewportCount 0.
// Fix: Its viewportCount is 1.
// EXPECT error flag-conflict vkCreateGraphicsPipelines at PIPELINE
// EXPECT-FACT vuid=VUID-VkPipelineViewportStateCreateInfo-viewportCount-04135
// EXIT any
#include "common/vulkan_features.h"

int main() {
  OpenWithFeatures({});
  {
    DrawsInfo draws;
    const VkDynamicState state = VK_DYNAMIC_STATE_VIEWPORT;
    VkPipelineDynamicStateCreateInfo dynamic = {
        VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
    dynamic.dynamicStateCount = 1;
    dynamic.pDynamicStates = &state;
    draws.info.pDynamicState = &dynamic;
#ifdef DEFECT
    draws.state.view.viewportCount = 0;
#endif
    VkPipeline pipeline = VK_NULL_HANDLE;
    // @PIPELINE
    vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline);
    vkDestroyPipeline(device, pipeline, nullptr);
  }
  Close();
}
