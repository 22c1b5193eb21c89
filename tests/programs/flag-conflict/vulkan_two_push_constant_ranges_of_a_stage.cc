// Defect: Two push constant ranges of a pipeline layout have the compute stage.
// Fix: One range covers both.
// EXPECT error flag-conflict vkCreatePipelineLayout at CREATE
// EXPECT-FACT vuid=VUID-VkPipelineLayoutCreateInfo-pPushConstantRanges-00292
#include "common/vulkan.h"

int main() {
  Open();
#ifdef DEFECT
  const VkPushConstantRange ranges[] = {{VK_SHADER_STAGE_COMPUTE_BIT, 0, 16},
                                        {VK_SHADER_STAGE_COMPUTE_BIT, 16, 16}};
#else
  const VkPushConstantRange ranges[] = {{VK_SHADER_STAGE_COMPUTE_BIT, 0, 32},
                                        {VK_SHADER_STAGE_VERTEX_BIT, 0, 32}};
#endif
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.pushConstantRangeCount = 2;
  info.pPushConstantRanges = ranges;
  VkPipelineLayout layout;
  // @CREATE
  OK(vkCreatePipelineLayout(device, &info, nullptr, &layout));
  Close(layout);
}
