// Defect: A pipeline and a command set a line width of 2 without the feature wideLines.
// Fix: Both set 1.
// EXPECT error usage-missing vkCreateGraphicsPipelines at CREATE
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-00749
// EXPECT error usage-missing vkCmdSetLineWidth at SET
// EXPECT-FACT vuid=VUID-vkCmdSetLineWidth-lineWidth-00788
// EXIT any
#include "common/vulkan_features.h"

int main() {
  OpenWithFeatures({});
  {
    DrawsInfo draws;
#ifdef DEFECT
    draws.state.raster.lineWidth = 2;
#endif
    VkPipeline pipeline;
    // @CREATE
    OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline));
    Begin();
    // @SET
    vkCmdSetLineWidth(commands, draws.state.raster.lineWidth);
    OK(vkEndCommandBuffer(commands));
    vkDestroyPipeline(device, pipeline, nullptr);
  }
  Close();
}
