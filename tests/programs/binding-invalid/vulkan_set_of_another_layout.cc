// Defect: The bound set was allocated with a layout that has one binding more than the pipeline's.
// Fix: The set is allocated with the pipeline's layout.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08600
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  VkDescriptorSetLayoutBinding bindings[3] = {};
  for (uint32_t i = 0; i < 3; ++i)
    bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set_info.bindingCount = 2;
#ifdef DEFECT
  set_info.bindingCount = 3;
#endif
  set_info.pBindings = bindings;
  VkDescriptorSetLayout layout;
  OK(vkCreateDescriptorSetLayout(device, &set_info, nullptr, &layout));
  const VkPipelineLayout pipeline_layout = MakePipelineLayout(layout);
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3};
  const VkDescriptorPool sets = MakeSetPool(1, &size);
  const VkDescriptorSet set = AllocateSet(sets, layout);
  const VkDescriptorBufferInfo buffers[2] = {{a.handle, 0, VK_WHOLE_SIZE},
                                             {b.handle, 0, VK_WHOLE_SIZE}};
  const VkWriteDescriptorSet writes[2] = {Write(set, 0, &buffers[0]), Write(set, 1, &buffers[1])};
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
  Begin();
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, 0, 1, &set, 0,
                          nullptr);
  // @DISPATCH
  vkCmdDispatch(commands, 16, 1, 1);
  Run();
  Close(sets, pipeline_layout, layout, compute, a, b);
}
