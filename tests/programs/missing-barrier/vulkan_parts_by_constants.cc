// Defect: Two pipelines of one shader change the same part of a buffer in place, without a barrier.
// Fix: The constant of the second pipeline moves it behind the part of the first one. Both
// descriptors show the whole buffer.
// EXPECT error missing-barrier vkCmdDispatch at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT byte_range=0 to 2047
#include "common/vulkan_compute.h"
#include "shaders/part.comp.h"

// A compute pipeline that starts at a word of its buffer.
static VkPipeline MakePart(VkPipelineLayout layout, uint32_t first_word) {
  VkShaderModule module = MakeModule(part_comp, sizeof(part_comp));
  const VkSpecializationMapEntry entry = {0, 0, sizeof(first_word)};
  const VkSpecializationInfo constants = {1, &entry, sizeof(first_word), &first_word};
  VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &constants;
  info.layout = layout;
  VkPipeline pipeline;
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  vkDestroyShaderModule(device, module, nullptr);
  return pipeline;
}

int main() {
  Open();
  const Compute compute = MakeCompute(part_comp, sizeof(part_comp));
  const Buffer all = MakeBuffer(4096, kStorage);
  SetBuffers(compute, all.handle, all.handle);
  uint32_t second_word = 512;
#ifdef DEFECT
  second_word = 0;
#endif
  const VkPipeline first = MakePart(compute.layout, 0);
  const VkPipeline second = MakePart(compute.layout, second_word);
  Begin();
  vkCmdFillBuffer(commands, all.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Bind(compute);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, first);
  // @FIRST
  vkCmdDispatch(commands, 8, 1, 1);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, second);
  // @SECOND
  vkCmdDispatch(commands, 8, 1, 1);
  Run();
  Close(first, second, all, compute);
}
