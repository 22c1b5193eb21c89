// Defect without_the_flag_for_a_base: A pipeline that was created without
// VK_PIPELINE_CREATE_DISPATCH_BASE_BIT is dispatched with a base.
// EXPECT error usage-missing vkCmdDispatchBase at BASE
// EXPECT-FACT vuid=VUID-vkCmdDispatchBase-baseGroupX-00427
// Defect with_a_dynamic_mask: A pipeline leaves the color write mask to commands, and the feature
// for this state is not enabled.
// EXPECT error usage-missing vkCreateGraphicsPipelines at CREATE
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-extendedDynamicState3ColorWriteMask-07380
// Fix: The pipeline has the flag, and the device has the feature.
#include "common/vulkan_dispatches.h"
#include "common/vulkan_features.h"

// Fix: It is created with the flag.
static void WithoutTheFlagForABase() {
  Open();
#ifdef DEFECT_without_the_flag_for_a_base
  const Tiles tiles = MakeTiles(8, 8, 0);
#else
  const Tiles tiles = MakeTiles(8, 8);
#endif
  Begin();
  Bind(tiles.compute);
  // The flag is not needed for this one.
  vkCmdDispatchBase(commands, 0, 0, 0, 4, 1, 1);
  // @BASE
  vkCmdDispatchBase(commands, 4, 0, 0, 4, 1, 1);
  Run();
  Close(tiles);
}

// Fix: It leaves only state of Vulkan 1.3 to commands.
static void WithADynamicMask() {
  OpenWithFeatures({});
  VkPipeline pipeline;
  {
    DrawsInfo draws;
#ifdef DEFECT_with_a_dynamic_mask
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

int main() {
  WithoutTheFlagForABase();
  WithADynamicMask();
}
