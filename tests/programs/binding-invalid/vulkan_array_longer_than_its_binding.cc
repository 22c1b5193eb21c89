// Defect: The shader declares an array of four buffers, and the layout has two descriptors for it.
// Fix: The layout has a descriptor for each element.
// EXPECT error binding-invalid vkCreateComputePipelines at CREATE
// EXPECT-FACT vuid=VUID-VkComputePipelineCreateInfo-layout-07991
// EXPECT-TEXT descriptorCount 2, but the compute shader declares an array of 4
// EXIT any
#include "common/vulkan_elements.h"

int main() {
  Open();
  VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kElements,
                                          VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
#ifdef DEFECT
  binding.descriptorCount = 2;
#endif
  const VkDescriptorSetLayout set_layout = MakeSetLayout(1, &binding);
  const VkPipelineLayout layout = MakePipelineLayout(set_layout);
  const VkShaderModule module = MakeModule(elements_comp, sizeof(elements_comp));
  const VkComputePipelineCreateInfo info = ComputeInfo(module, layout);
  VkPipeline pipeline;
  // @CREATE
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  Close(pipeline, module, layout, set_layout);
}
