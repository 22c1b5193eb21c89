// Defect: The vertex shader has an input at location 0, but the only attribute is at location 1.
// Fix: The attribute is at location 0.
// EXPECT error binding-invalid vkCreateGraphicsPipelines
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-Input-07904
// EXPECT-TEXT whose vertex shader has an input at location 0
// EXIT any
#include "common/vulkan_vertices.h"

int main() {
  OpenForRendering();
#ifdef DEFECT
  constexpr uint32_t kLocation = 1;
#else
  constexpr uint32_t kLocation = 0;
#endif
  const VkVertexInputBindingDescription binding = {0, kVertexBytes, VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attribute = {kLocation, 0, VK_FORMAT_R32G32_SFLOAT, 0};
  VkPipelineVertexInputStateCreateInfo inputs = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  inputs.vertexBindingDescriptionCount = inputs.vertexAttributeDescriptionCount = 1;
  inputs.pVertexBindingDescriptions = &binding;
  inputs.pVertexAttributeDescriptions = &attribute;
  Destroy(MakeRendering(&inputs));
  Close();
}
