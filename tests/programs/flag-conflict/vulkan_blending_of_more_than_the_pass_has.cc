// Defect: A pipeline for a render pass with one color attachment describes the blending of two.
// Fix: It describes the blending of one.
// EXPECT error flag-conflict vkCreateGraphicsPipelines at PIPELINE
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-renderPass-07609
// EXIT any
#include "common/vulkan_features.h"
#include "common/vulkan_pass.h"

int main() {
  OpenWithFeatures({});
  const VkRenderPass pass = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR);
  {
    DrawsInfo draws;
    draws.info.pNext = nullptr;
    draws.info.renderPass = pass;
#ifdef DEFECT
    draws.blend.attachmentCount = 2;
#endif
    VkPipeline pipeline = VK_NULL_HANDLE;
    // @PIPELINE
    vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline);
    vkDestroyPipeline(device, pipeline, nullptr);
  }
  Close(pass);
}
