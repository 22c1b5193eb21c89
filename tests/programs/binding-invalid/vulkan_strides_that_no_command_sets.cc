// Defect: The stride of the pipeline's vertices is dynamic, but vkCmdBindVertexBuffers does not set it.
// Fix: vkCmdBindVertexBuffers2 sets it before the pipeline is bound. A later vkCmdBindVertexBuffers keeps it. The
// stride in the pipeline, with which the draw would read behind the end of the buffer, is ignored.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-pStrides-04913
// EXIT any
#include "common/vulkan_vertices.h"

int main() {
  OpenForRendering();
  const VkVertexInputBindingDescription binding = {0, 8 * kVertexBytes, VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_SFLOAT, 0};
  VkPipelineVertexInputStateCreateInfo inputs = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  inputs.vertexBindingDescriptionCount = inputs.vertexAttributeDescriptionCount = 1;
  inputs.pVertexBindingDescriptions = &binding;
  inputs.pVertexAttributeDescriptions = &attribute;
  const VkDynamicState state = VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE;
  VkPipelineDynamicStateCreateInfo dynamic = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = 1;
  dynamic.pDynamicStates = &state;
  const Rendering rendering = MakeRendering(&inputs, &dynamic);
  const Buffer vertices = MakeBuffer(3 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const VkDeviceSize offset = 0;
  Begin();
#ifndef DEFECT
  const VkDeviceSize stride = kVertexBytes;
  vkCmdBindVertexBuffers2(commands, 0, 1, &vertices.handle, &offset, nullptr, &stride);
#endif
  BeginRendering(rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Destroy(vertices);
  Destroy(rendering);
  Close();
}
