// Defect: A pipeline leaves the color write mask to commands, and the feature for this state is not
// enabled.
// Fix: It leaves only state of Vulkan 1.3 to commands.
// EXPECT error usage-missing vkCreateGraphicsPipelines at CREATE
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-extendedDynamicState3ColorWriteMask-07380
#include "common/vulkan_features.h"

int main() {
  OpenWithFeatures({});
  VkPipeline pipeline;
  {
    DrawsInfo draws;
#ifdef DEFECT
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_CULL_MODE,
                                     VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT};
#else
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_CULL_MODE,
                                     VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE};
#endif
    VkPipelineDynamicStateCreateInfo dynamic = {
        VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
    dynamic.dynamicStateCount = 2;
    dynamic.pDynamicStates = states;
    draws.info.pDynamicState = &dynamic;
    // @CREATE
    OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline));
  }
  Close(pipeline);
}
