// Defect: The value of a specialization constant begins behind the data.
// Fix: It begins with the data.
// EXPECT error flag-conflict vkCreateComputePipelines at CREATE
// EXPECT-FACT vuid=VUID-VkSpecializationInfo-offset-00773
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Compute compute = MakeCompute();
  VkShaderModule module = MakeModule(scale_comp, sizeof(scale_comp));
  // The shader has no constant of this number, so that the driver reads no value.
  const uint32_t values[4] = {};
  VkSpecializationMapEntry entry = {99, 0, sizeof(uint32_t)};
#ifdef DEFECT
  entry.offset = sizeof(uint32_t);
#endif
  const VkSpecializationInfo constants = {1, &entry, sizeof(uint32_t), values};
  VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &constants;
  info.layout = compute.layout;
  VkPipeline pipeline;
  // @CREATE
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  Close(pipeline, module, compute);
}
