// A block of constants in a descriptor set is copied to another set, by the number of its bytes:
// the buffers behind it stay those of the other set, whatever becomes of the first one's.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"

namespace {

// The shader of two buffers, with its bindings behind the block.
std::vector<uint32_t> Moved() {
  std::vector<uint32_t> code(scale_comp, scale_comp + sizeof(scale_comp) / sizeof(scale_comp[0]));
  constexpr uint32_t kDecorate = 71, kBinding = 33, kHeader = 5;
  for (size_t i = kHeader; i < code.size(); i += code[i] >> 16) {
    if ((code[i] & 0xffff) == kDecorate && code[i + 2] == kBinding) ++code[i + 3];
  }
  return code;
}

}  // namespace

int main() {
  VkPhysicalDeviceInlineUniformBlockFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_FEATURES};
  features.inlineUniformBlock = VK_TRUE;
  Open({.features = &features});
  constexpr uint32_t kBytes = 16;
  const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, kBytes, VK_SHADER_STAGE_COMPUTE_BIT},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT},
      {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT}};
  const VkDescriptorSetLayout set_layout = MakeSetLayout(3, bindings);
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4},
                                        {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 2 * kBytes}};
  VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO};
  blocks.maxInlineUniformBlockBindings = 2;
  VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, &blocks};
  pool_info.maxSets = 2;
  pool_info.poolSizeCount = 2;
  pool_info.pPoolSizes = sizes;
  VkDescriptorPool descriptors;
  OK(vkCreateDescriptorPool(device, &pool_info, nullptr, &descriptors));
  const VkDescriptorSetLayout layouts[] = {set_layout, set_layout};
  VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  allocate.descriptorPool = descriptors;
  allocate.descriptorSetCount = 2;
  allocate.pSetLayouts = layouts;
  VkDescriptorSet sets[2];
  OK(vkAllocateDescriptorSets(device, &allocate, sets));

  const Buffer gone = MakeBuffer(4096, kStorage), input = MakeBuffer(4096, kStorage),
               output = MakeBuffer(4096, kStorage);
  const VkDescriptorBufferInfo infos[] = {{gone.handle, 0, VK_WHOLE_SIZE},
                                          {input.handle, 0, VK_WHOLE_SIZE},
                                          {output.handle, 0, VK_WHOLE_SIZE}};
  const uint32_t constants[kBytes / 4] = {1, 2, 3, 4};
  VkWriteDescriptorSetInlineUniformBlock block = {
      VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK};
  block.dataSize = kBytes;
  block.pData = constants;
  VkWriteDescriptorSet of_block = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, &block};
  of_block.dstSet = sets[0];
  of_block.descriptorCount = kBytes;
  of_block.descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  const VkWriteDescriptorSet writes[] = {of_block, Write(sets[0], 1, &infos[0]),
                                         Write(sets[0], 2, &infos[0]), Write(sets[1], 1, &infos[1]),
                                         Write(sets[1], 2, &infos[2])};
  vkUpdateDescriptorSets(device, 5, writes, 0, nullptr);
  VkCopyDescriptorSet copy = {VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET};
  copy.srcSet = sets[0];
  copy.dstSet = sets[1];
  copy.descriptorCount = kBytes;
  vkUpdateDescriptorSets(device, 0, nullptr, 1, &copy);
  Destroy(gone);

  const VkPipelineLayout layout = MakePipelineLayout(set_layout);
  const std::vector<uint32_t> code = Moved();
  const VkPipeline pipeline =
      MakeComputePipeline(layout, code.data(), code.size() * sizeof(uint32_t));
  Begin();
  vkCmdFillBuffer(commands, input.handle, 0, 4096, 1);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &sets[1], 0,
                          nullptr);
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  Close(pipeline, layout, descriptors, set_layout, input, output);
}
