// Defect: A vertex attribute has a format of integers, but the shader declares the input of its
// location with floating-point numbers.
// Fix: The format is one of normalized integers, which the shader reads as floating-point numbers.
// EXPECT error binding-invalid vkCreateGraphicsPipelines
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-Input-08733
// EXPECT-TEXT whose vertex attribute at location 0 has the format VK_FORMAT_R16G16_UINT
// EXIT any
#include "common/vulkan_vertices.h"

int main() {
  OpenForRendering();
#ifdef DEFECT
  constexpr VkFormat kFormat = VK_FORMAT_R16G16_UINT;
#else
  constexpr VkFormat kFormat = VK_FORMAT_R16G16_SNORM;
#endif
  const VkVertexInputBindingDescription binding = {0, kVertexBytes, VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attribute = {0, 0, kFormat, 0};
  VkPipelineVertexInputStateCreateInfo inputs = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  inputs.vertexBindingDescriptionCount = inputs.vertexAttributeDescriptionCount = 1;
  inputs.pVertexBindingDescriptions = &binding;
  inputs.pVertexAttributeDescriptions = &attribute;
  Destroy(MakeRendering(&inputs));
  Close();
}
