// Defect: A pipeline draws the edges of triangles without the feature fillModeNonSolid.
// Fix: The feature is enabled.
// EXPECT error usage-missing vkCreateGraphicsPipelines at CREATE
// EXPECT-FACT vuid=VUID-VkPipelineRasterizationStateCreateInfo-polygonMode-01507
// EXIT any
#include "common/vulkan_features.h"

int main() {
#ifdef DEFECT
  OpenWithFeatures({});
#else
  OpenWithFeatures({&VkPhysicalDeviceFeatures::fillModeNonSolid});
#endif
  {
    DrawsInfo draws;
    draws.state.raster.polygonMode = VK_POLYGON_MODE_LINE;
    VkPipeline pipeline;
    // @CREATE
    OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline));
    vkDestroyPipeline(device, pipeline, nullptr);
  }
  Close();
}
