// Defect: Only the first of two attachments is blended, without the feature independentBlend.
// Fix: The feature is enabled.
// EXPECT error usage-missing vkCreateGraphicsPipelines at CREATE
// EXPECT-FACT vuid=VUID-VkPipelineColorBlendStateCreateInfo-pAttachments-00605
// EXIT any
#include "common/vulkan_features.h"

int main() {
#ifdef DEFECT
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
