// Layouts of pipelines fit their shaders without being equal to what these declare: a combined image sampler for an
// image and a sampler of the same binding, dynamic uniform buffers, more stages, descriptors, sets and push constants
// than the shader uses, and more vertex attributes than the vertex shader has inputs.
#include "common/vulkan_compute.h"
#include "common/vulkan_vertices.h"
#include "shaders/apart.comp.h"

int main() {
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
