// Defect: Binds a descriptor set with a pipeline layout whose set number 0 has one binding more.
// Fix: Binds the set with the pipeline layout that names the layout of the set.
// EXPECT error binding-invalid vkCmdBindDescriptorSets at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-pDescriptorSets-00358
// EXPECT-TEXT has another set layout there
#include "common/vulkan_compute.h"

int main() {
  Open();
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
  Begin();
  // @BIND
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, 0, 1,
                          &compute.set, 0, nullptr);
  Run();
  Close(pipeline_layout, layout, compute);
}
