// Defect: The value of a specialization constant has two bytes, and the shader declares a 32-bit
// constant.
// Fix: The value has four bytes.
// EXPECT error flag-conflict vkCreateComputePipelines at CREATE
// EXPECT-FACT vuid=VUID-VkSpecializationMapEntry-constantID-00776
// EXPECT-TEXT the specialization constant 0 with the size 2, but the shader declares it with 4 B
// EXIT any
#include "common/vulkan_compute.h"
#include "shaders/part.comp.h"

int main() {
  Open();
  const Compute compute = MakeCompute();
  const VkShaderModule module = MakeModule(part_comp, sizeof(part_comp));
  const uint32_t values[2] = {};
  // A constant that the shader lacks may have any size.
  VkSpecializationMapEntry entries[] = {{0, 0, 4}, {99, 4, 3}};
#ifdef DEFECT
  entries[0].size = 2;
#endif
  const VkSpecializationInfo constants = {2, entries, sizeof(values), values};
  VkComputePipelineCreateInfo info = ComputeInfo(module, compute.layout);
  info.stage.pSpecializationInfo = &constants;
  VkPipeline pipeline;
  // @CREATE
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  Close(pipeline, module, compute);
}
