// Defect: The push constant range of the layout has 4 bytes, but the shader reads 8 bytes.
// Fix: The range has 8 bytes.
// EXPECT error binding-invalid vkCreateComputePipelines at CREATE
// EXPECT-FACT vuid=VUID-VkComputePipelineCreateInfo-layout-10069
// EXPECT-TEXT whose ranges lack bytes 4 to 7 of the push constants
// EXIT any
#include "common/vulkan_compute.h"
#include "shaders/branch.comp.h"

int main() {
  Open();
  const VkShaderModule module = MakeModule(branch_comp, sizeof(branch_comp));
#ifdef DEFECT
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
  // @CREATE
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  Destroy(pipeline, module, layout, set_layout);
  Close();
}
