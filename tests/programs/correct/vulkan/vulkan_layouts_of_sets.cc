// Layouts have more bindings than a shader uses, and sets are copied with blocks of constants.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_vertices.h"
#include "shaders/apart.comp.h"

// Dispatches with sets whose layout has a binding more than the shader: it is never written. The
// descriptors of one set are copies of another set's, and the sets are allocated anew each time.
static void BindingsThatNoShaderUses() {
  Open();
  const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC,
                                    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  const uint32_t numbers[] = {0, 1, 5};
  const VkDescriptorSetLayout set_layout = MakeSetLayout(3, types, numbers);
  const VkPipelineLayout layout = MakePipelineLayout(set_layout);
  const VkPipeline pipeline = MakeComputePipeline(layout, scale_comp, sizeof(scale_comp));
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 2},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4}};
  VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool_info.maxSets = 2;
  pool_info.poolSizeCount = 2;
  pool_info.pPoolSizes = sizes;
  VkDescriptorPool sets_pool;
  OK(vkCreateDescriptorPool(device, &pool_info, nullptr, &sets_pool));

  const Buffer input = MakeBuffer(4 * 4096, kStorage, kHostMemory);
  const Buffer output = MakeBuffer(4096, kStorage);
  void* data;
  OK(vkMapMemory(device, input.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 1, 4 * 4096);
  vkUnmapMemory(device, input.memory);
  for (int round = 0; round < 3; ++round) {
    const VkDescriptorSetLayout layouts[2] = {set_layout, set_layout};
    VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    allocate.descriptorPool = sets_pool;
    allocate.descriptorSetCount = 2;
    allocate.pSetLayouts = layouts;
    VkDescriptorSet sets[2];
    OK(vkAllocateDescriptorSets(device, &allocate, sets));
    const VkDescriptorBufferInfo read = {input.handle, 0, 4096};
    const VkDescriptorBufferInfo written = {output.handle, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet writes[2] = {Write(sets[0], 0, &read), Write(sets[0], 1, &written)};
    writes[0].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
    vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
    VkCopyDescriptorSet copies[2] = {};
    for (uint32_t i = 0; i < 2; ++i) {
      copies[i] = {VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, nullptr, sets[0], i, 0, sets[1], i, 0, 1};
    }
    vkUpdateDescriptorSets(device, 0, nullptr, 2, copies);
    Begin();
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    for (uint32_t i = 0; i < 6; ++i) {
      const uint32_t offset = i % 4 * 4096;
      vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &sets[i & 1],
                              1, &offset);
      vkCmdDispatch(commands, 16, 1, 1);
      MemoryBarrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
    }
    Run();
    OK(vkResetDescriptorPool(device, sets_pool, 0));
  }
  Close(sets_pool, pipeline, layout, set_layout, input, output);
}

// Layouts of pipelines fit their shaders without being equal to what these declare: a combined image sampler for an
// image and a sampler of the same binding, dynamic uniform buffers, more stages, descriptors, sets and push constants
// than the shader uses, and more vertex attributes than the vertex shader has inputs.
static void LayoutsWithMoreThanAShaderUses() {
  OpenForRendering();
  const VkDescriptorSetLayoutBinding first[] = {
      {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, nullptr},
      {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1,
       VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT, nullptr},
      {2, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr},
      {3, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 8, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}};
  VkDescriptorSetLayoutCreateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set_info.bindingCount = 4;
  set_info.pBindings = first;
  VkDescriptorSetLayout sets[3];
  OK(vkCreateDescriptorSetLayout(device, &set_info, nullptr, &sets[0]));
  const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
  const uint32_t number = 0;
  sets[1] = sets[2] = MakeSetLayout(1, &type, &number);
  const VkPushConstantRange ranges[] = {{VK_SHADER_STAGE_VERTEX_BIT, 0, 8},
                                        {VK_SHADER_STAGE_COMPUTE_BIT, 8, 16}};
  VkPipelineLayoutCreateInfo layout_info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout_info.setLayoutCount = 3;
  layout_info.pSetLayouts = sets;
  layout_info.pushConstantRangeCount = 2;
  layout_info.pPushConstantRanges = ranges;
  VkPipelineLayout layout;
  OK(vkCreatePipelineLayout(device, &layout_info, nullptr, &layout));
  const VkShaderModule module = MakeModule(apart_comp, sizeof(apart_comp));
  const VkComputePipelineCreateInfo info = ComputeInfo(module, layout);
  VkPipeline pipeline;
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  Destroy(pipeline, module, layout, sets[0]);
  vkDestroyDescriptorSetLayout(device, sets[1], nullptr);
  Destroy(MakeVertexRendering());
  Close();
}

// A block of constants in a descriptor set is copied to another set, by the number of its bytes:
// the buffers behind it stay those of the other set, whatever becomes of the first one's.
// The shader of two buffers, with its bindings behind the block.
static std::vector<uint32_t> Moved() {
  std::vector<uint32_t> code(scale_comp, scale_comp + sizeof(scale_comp) / sizeof(scale_comp[0]));
  constexpr uint32_t kDecorate = 71, kBinding = 33, kHeader = 5;
  for (size_t i = kHeader; i < code.size(); i += code[i] >> 16) {
    if ((code[i] & 0xffff) == kDecorate && code[i + 2] == kBinding) ++code[i + 3];
  }
  return code;
}

static void CopiedSetsWithBlocks() {
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

int main() {
  BindingsThatNoShaderUses();
  LayoutsWithMoreThanAShaderUses();
  CopiedSetsWithBlocks();
}
