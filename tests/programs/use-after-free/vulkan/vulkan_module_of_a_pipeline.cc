// Defect: Creates a pipeline from a shader module that is destroyed.
// Fix: The module is destroyed behind the creation.
// EXPECT error use-after-free vkCreateComputePipelines at CREATE
// EXPECT-FACT vuid=VUID-VkPipelineShaderStageCreateInfo-module-parameter
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  VkShaderModule module = MakeModule(scale_comp, sizeof(scale_comp));
  const VkDescriptorSetLayout set_layout =
      MakeTwoBindings(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT);
  const VkPipelineLayout layout = MakePipelineLayout(set_layout);
  const VkComputePipelineCreateInfo info = ComputeInfo(module, layout);
#ifdef DEFECT
  vkDestroyShaderModule(device, module, nullptr);
  module = VK_NULL_HANDLE;
#endif
  VkPipeline pipeline;
  // @CREATE
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  Destroy(pipeline, module, layout, set_layout);
  Close();
}
