// Defect: The set is bound with a pipeline layout that has a push constant range, which the layout of the pipeline lacks.
// Fix: The other layout has one set more instead: both are compatible for set number 0.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08600
// EXPECT-TEXT is not compatible
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  const VkDescriptorSetLayout sets[] = {compute.set_layout, compute.set_layout};
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.pSetLayouts = sets;
#ifdef DEFECT
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
  info.setLayoutCount = 1;
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
#else
  info.setLayoutCount = 2;
#endif
  VkPipelineLayout layout;
  OK(vkCreatePipelineLayout(device, &info, nullptr, &layout));
  Begin();
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &compute.set, 0,
                          nullptr);
  // @DISPATCH
  vkCmdDispatch(commands, 16, 1, 1);
  Run();
  Close(layout, compute, a, b);
}
