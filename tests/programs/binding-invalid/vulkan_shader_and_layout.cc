// Defect array_longer_than_its_binding: The shader declares an array of four buffers, and the
// layout has two descriptors for it.
// EXPECT error binding-invalid vkCreateComputePipelines at CREATE
// EXPECT-FACT vuid=VUID-VkComputePipelineCreateInfo-layout-07991
// EXPECT-TEXT descriptorCount 2, but the compute shader declares an array of 4
// EXIT any
// Defect push_constant_range_too_short: The push constant range of the layout has 4 bytes, but the
// shader reads 8 bytes.
// EXPECT error binding-invalid vkCreateComputePipelines at CREATE_2
// EXPECT-FACT vuid=VUID-VkComputePipelineCreateInfo-layout-10069
// EXPECT-TEXT whose ranges lack bytes 4 to 7 of the push constants
// EXIT any
// Fix: The layout of the pipeline has what the shader declares.
#include "common/vulkan_compute.h"
#include "common/vulkan_elements.h"
#include "shaders/branch.comp.h"

// Fix: The layout has a descriptor for each element.
static void ArrayLongerThanItsBinding() {
  VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kElements,
                                          VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
#ifdef DEFECT_array_longer_than_its_binding
  binding.descriptorCount = 2;
#endif
  const VkDescriptorSetLayout set_layout = MakeSetLayout(1, &binding);
  const VkPipelineLayout layout = MakePipelineLayout(set_layout);
  const VkShaderModule module = MakeModule(elements_comp, sizeof(elements_comp));
  const VkComputePipelineCreateInfo info = ComputeInfo(module, layout);
  VkPipeline pipeline;
  // @CREATE
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  Destroy(pipeline, module, layout, set_layout);
}

// Fix: The range has 8 bytes.
static void PushConstantRangeTooShort() {
  const VkShaderModule module = MakeModule(branch_comp, sizeof(branch_comp));
#ifdef DEFECT_push_constant_range_too_short
  constexpr uint32_t kPushed = 4;
#else
  constexpr uint32_t kPushed = 8;
#endif
  const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const uint32_t number = 0;
  const VkDescriptorSetLayout set_layout = MakeSetLayout(1, &type, &number);
  const VkPipelineLayout layout = MakePipelineLayout(set_layout, kPushed);
  const VkComputePipelineCreateInfo info = ComputeInfo(module, layout);
  VkPipeline pipeline;
  // @CREATE_2
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  Destroy(pipeline, module, layout, set_layout);
}

int main() {
  Open();
  ArrayLongerThanItsBinding();
  PushConstantRangeTooShort();
  Close();
}
