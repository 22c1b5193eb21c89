// Defect: The layout of a pipeline has a uniform buffer where the shader writes a storage buffer.
// Fix: The layout has a storage buffer.
// EXPECT error binding-invalid vkCreateComputePipelines at CREATE
// EXPECT-FACT vuid=VUID-VkComputePipelineCreateInfo-layout-07990
// EXPECT-TEXT binding 1 of set 0 has the type VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, but the compute shader declares a storage buffer there
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const VkShaderModule module = MakeModule(scale_comp, sizeof(scale_comp));
#ifdef DEFECT
  const VkDescriptorSetLayout set_layout =
      MakeTwoBindings(1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT);
#else
  const VkDescriptorSetLayout set_layout =
      MakeTwoBindings(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT);
#endif
  const VkPipelineLayout layout = MakePipelineLayout(set_layout);
  const VkComputePipelineCreateInfo info = ComputeInfo(module, layout);
  VkPipeline pipeline;
  // @CREATE
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  Destroy(pipeline, module, layout, set_layout);
  Close();
}
