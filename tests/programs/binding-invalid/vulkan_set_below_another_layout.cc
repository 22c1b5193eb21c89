// Defect: Set number 1 is bound with a layout that has another set number 0, which makes the bound
// set number 0 undefined. A dispatch uses it.
// Fix: Both sets are bound with layouts whose set number 0 is the same.
// EXPECT error binding-invalid vkCmdDispatch at RUN
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08600
// EXPECT-TEXT set number 0 was made undefined when a higher set number was bound
#include "common/vulkan_compute.h"

static VkPipelineLayout MakeLayout(VkDescriptorSetLayout first, VkDescriptorSetLayout second) {
  const VkDescriptorSetLayout sets[2] = {first, second};
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = 2;
  info.pSetLayouts = sets;
  VkPipelineLayout layout;
  OK(vkCreatePipelineLayout(device, &info, nullptr, &layout));
  return layout;
}

int main() {
  Open();
  const Compute compute = MakeCompute(), other = MakeCompute();
  const Buffer input = MakeBuffer(256, kStorage), output = MakeBuffer(256, kStorage);
  SetBuffers(compute, input.handle, output.handle);
  SetBuffers(other, input.handle, output.handle);
  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  const VkDescriptorSetLayout shorter = MakeSetLayout(1, &binding);
  VkDescriptorSetLayout first = compute.set_layout;
#ifdef DEFECT
  first = shorter;
#endif
  const VkPipelineLayout layout = MakeLayout(first, compute.set_layout);
  Begin();
  vkCmdFillBuffer(commands, input.handle, 0, VK_WHOLE_SIZE, 0);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
  Bind(compute);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 1, 1, &other.set, 0,
                          nullptr);
  // @RUN
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  Close(layout, shorter, compute, other, input, output);
}
