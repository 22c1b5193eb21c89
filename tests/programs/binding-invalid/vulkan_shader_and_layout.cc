// Defect array_longer_than_its_binding: The shader declares an array of four buffers, and the
// layout has two descriptors for it.
// EXPECT error binding-invalid vkCreateComputePipelines at CREATE
// EXPECT-FACT vuid=VUID-VkComputePipelineCreateInfo-layout-07991
// EXPECT-TEXT descriptorCount 2, but the compute shader declares an array of 4
// Defect push_constant_range_too_short: The push constant range of the layout has 4 bytes, but the
// shader reads 8 bytes.
// EXPECT error binding-invalid vkCreateComputePipelines at CREATE_2
// EXPECT-FACT vuid=VUID-VkComputePipelineCreateInfo-layout-10069
// EXPECT-TEXT whose ranges lack bytes 4 to 7 of the push constants
// Defect for_another_stage: The layout of a pipeline has the second buffer for fragment shaders
// only.
// EXPECT error binding-invalid vkCreateComputePipelines at CREATE_3
// EXPECT-FACT vuid=VUID-VkComputePipelineCreateInfo-layout-07988
// EXPECT-TEXT which has binding 1 of set 0, which the compute shader uses, for other stages only
// Defect of_another_type: The layout has a uniform buffer where the shader writes a storage buffer.
// EXPECT error binding-invalid vkCreateComputePipelines at CREATE_3
// EXPECT-FACT vuid=VUID-VkComputePipelineCreateInfo-layout-07990
// EXPECT-TEXT binding 1 of set 0 has the type VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, but the compute shader declares a storage buffer there
// Defect without_a_binding: The layout has binding 2, but the shader uses binding 1.
// EXPECT error binding-invalid vkCreateComputePipelines at CREATE_3
// EXPECT-FACT vuid=VUID-VkComputePipelineCreateInfo-layout-07988
// EXPECT-TEXT which lacks binding 1 of set 0, which the compute shader uses
// Defect attribute_of_integers: A vertex attribute has a format of integers, but the shader
// declares the input of its location with floating-point numbers.
// EXPECT error binding-invalid vkCreateGraphicsPipelines
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-Input-08733
// EXPECT-TEXT whose vertex attribute at location 0 has the format VK_FORMAT_R16G16_UINT
// Defect input_without_attribute: The vertex shader has an input at location 0, but the only
// attribute is at location 1.
// EXPECT error binding-invalid vkCreateGraphicsPipelines
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-Input-07904
// EXPECT-TEXT whose vertex shader has an input at location 0
// Defect input_that_no_stage_writes: The fragment shader reads location 7, at which the vertex shader
// has no output.
// EXPECT error binding-invalid vkCreateGraphicsPipelines
// EXPECT-FACT vuid=VUID-RuntimeSpirv-OpEntryPoint-08743
// EXPECT-TEXT whose fragment shader reads a floating-point number of 32 bits at location 7, component 0, where the vertex shader has no output
// Defect input_of_another_type: The fragment shader reads integers at location 6, at which the vertex
// shader has floating-point numbers.
// EXPECT error binding-invalid vkCreateGraphicsPipelines
// EXPECT-FACT vuid=VUID-RuntimeSpirv-OpEntryPoint-07754
// EXPECT-TEXT whose fragment shader reads an integer of 32 bits at location 6, component 0, where the output of the vertex shader has another type
// Fix: The layout of the pipeline has what the shader declares, and its stages fit each other.
// EXIT any
#include "common/vulkan_compute.h"
#include "common/vulkan_dispatches.h"
#include "common/vulkan_vertices.h"
#include "shaders/behind.frag.h"
#include "shaders/branch.comp.h"
#include "shaders/through.frag.h"
#include "shaders/through.vert.h"
#include "shaders/whole.frag.h"

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

// Fix: The layout has the storage buffer of the compute shader at binding 1.
static void Layout() {
  Open();
  const VkShaderModule module = MakeModule(scale_comp, sizeof(scale_comp));
  uint32_t binding = 1;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  VkShaderStageFlags stage = VK_SHADER_STAGE_COMPUTE_BIT;
#ifdef DEFECT_for_another_stage
  stage = VK_SHADER_STAGE_FRAGMENT_BIT;
#elif defined(DEFECT_of_another_type)
  type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
#elif defined(DEFECT_without_a_binding)
  binding = 2;
#endif
  const VkDescriptorSetLayout set_layout = MakeTwoBindings(binding, type, stage);
  const VkPipelineLayout layout = MakePipelineLayout(set_layout);
  const VkComputePipelineCreateInfo info = ComputeInfo(module, layout);
  VkPipeline pipeline;
  // @CREATE_3
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  Destroy(pipeline, module, layout, set_layout);
  Close();
}

// Fix: The attribute is at location 0, and has a format of normalized integers, which the shader
// reads as floating-point numbers.
static void Vertex() {
  OpenForRendering();
  uint32_t location = 0;
  VkFormat format = VK_FORMAT_R16G16_SNORM;
#ifdef DEFECT_attribute_of_integers
  format = VK_FORMAT_R16G16_UINT;
#elif defined(DEFECT_input_without_attribute)
  location = 1;
#endif
  const VkVertexInputBindingDescription binding = {0, kVertexBytes, VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attribute = {location, 0, format, 0};
  VkPipelineVertexInputStateCreateInfo inputs = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  inputs.vertexBindingDescriptionCount = inputs.vertexAttributeDescriptionCount = 1;
  inputs.pVertexBindingDescriptions = &binding;
  inputs.pVertexAttributeDescriptions = &attribute;
  Destroy(MakeRendering(&inputs));
  Close();
}

// Fix: The fragment shader reads what the vertex shader passes on.
static void Stages() {
  OpenForRendering();
  const uint32_t* fragment = through_frag;
  size_t bytes = sizeof(through_frag);
#ifdef DEFECT_input_that_no_stage_writes
  fragment = behind_frag;
  bytes = sizeof(behind_frag);
#elif defined(DEFECT_input_of_another_type)
  fragment = whole_frag;
  bytes = sizeof(whole_frag);
#endif
  const VkPipelineLayout layout = MakePipelineLayout();
  VkPipelineRenderingCreateInfo formats = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  formats.colorAttachmentCount = 1;
  formats.pColorAttachmentFormats = &kRenderingFormat;
  const VkPipeline draws = MakeDraws(VK_NULL_HANDLE, 0, layout, fragment, bytes, &formats, nullptr,
                                     nullptr, through_vert, sizeof(through_vert));
  Destroy(draws, layout);
  Close();
}

int main() {
  Open();
  ArrayLongerThanItsBinding();
  PushConstantRangeTooShort();
  Close();
  Layout();
  Vertex();
  Stages();
}
