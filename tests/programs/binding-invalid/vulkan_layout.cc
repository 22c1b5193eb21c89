// Defect for_another_stage: The layout of a pipeline has the second buffer for fragment shaders only.
// EXPECT error binding-invalid vkCreateComputePipelines at CREATE
// EXPECT-FACT vuid=VUID-VkComputePipelineCreateInfo-layout-07988
// EXPECT-TEXT which has binding 1 of set 0, which the compute shader uses, for other stages only
// Defect of_another_type: The layout has a uniform buffer where the shader writes a storage buffer.
// EXPECT error binding-invalid vkCreateComputePipelines at CREATE
// EXPECT-FACT vuid=VUID-VkComputePipelineCreateInfo-layout-07990
// EXPECT-TEXT binding 1 of set 0 has the type VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, but the compute shader declares a storage buffer there
// Defect without_a_binding: The layout has binding 2, but the shader uses binding 1.
// EXPECT error binding-invalid vkCreateComputePipelines at CREATE
// EXPECT-FACT vuid=VUID-VkComputePipelineCreateInfo-layout-07988
// EXPECT-TEXT which lacks binding 1 of set 0, which the compute shader uses
// Fix: The layout has the storage buffer of the compute shader at binding 1.
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const VkShaderModule module = MakeModule(scale_comp, sizeof(scale_comp));
  uint32_t binding = 1;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  VkShaderStageFlags stage = VK_SHADER_STAGE_COMPUTE_BIT;
#ifdef DEFECT_for_another_stage
  stage = VK_SHADER_STAGE_FRAGMENT_BIT;
#elif defined(DEFECT_of_another_type)
  type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
#elif defined(DEFECT_without_a_binding)
  binding = 2;
#endif
  const VkDescriptorSetLayout set_layout = MakeTwoBindings(binding, type, stage);
  const VkPipelineLayout layout = MakePipelineLayout(set_layout);
  const VkComputePipelineCreateInfo info = ComputeInfo(module, layout);
  VkPipeline pipeline;
  // @CREATE
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  Destroy(pipeline, module, layout, set_layout);
  Close();
}
