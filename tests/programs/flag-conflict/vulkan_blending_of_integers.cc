// Defect: A pipeline blends an attachment whose format has integers.
// Fix: It blends an attachment of a format that the device can blend.
// EXPECT error flag-conflict vkCreateGraphicsPipelines at PIPELINE
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-renderPass-06062
// EXIT any
#include "common/vulkan_features.h"

int main() {
  OpenWithFeatures({});
  {
    DrawsInfo draws;
    draws.blending[0].blendEnable = VK_TRUE;
    draws.blending[0].srcColorBlendFactor = VK_BLEND_FACTOR_ONE;
    draws.blending[0].dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
#ifdef DEFECT
    const VkFormat integers = VK_FORMAT_R8G8B8A8_UINT;
    draws.formats.pColorAttachmentFormats = &integers;
#endif
    VkPipeline pipeline = VK_NULL_HANDLE;
    // @PIPELINE
    vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline);
    vkDestroyPipeline(device, pipeline, nullptr);
  }
  Close();
}
