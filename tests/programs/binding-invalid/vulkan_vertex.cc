// Defect attribute_of_integers: A vertex attribute has a format of integers, but the shader declares the input of its location
// with floating-point numbers.
// EXPECT error binding-invalid vkCreateGraphicsPipelines
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-Input-08733
// EXPECT-TEXT whose vertex attribute at location 0 has the format VK_FORMAT_R16G16_UINT
// Defect input_without_attribute: The vertex shader has an input at location 0, but the only attribute is at location 1.
// EXPECT error binding-invalid vkCreateGraphicsPipelines
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-Input-07904
// EXPECT-TEXT whose vertex shader has an input at location 0
// Fix: The attribute is at location 0, and has a format of normalized integers, which the shader reads as floating-point
// numbers.
// EXIT any
#include "common/vulkan_vertices.h"

int main() {
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
