// Defect: A push constant range is 4 bytes larger than the device allows.
// Fix: It has the largest size.
// EXPECT error flag-conflict vkCreatePipelineLayout at CREATE
// EXPECT-FACT vuid=VUID-VkPushConstantRange-size-00298
#include "common/vulkan_sets.h"

int main() {
  Open();
  VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, Limits().maxPushConstantsSize};
#ifdef DEFECT
  range.size += 4;
#endif
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout;
  // @CREATE
  OK(vkCreatePipelineLayout(device, &info, nullptr, &layout));
  Close(layout);
}
