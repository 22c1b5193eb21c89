// Defect: The stride of the pipeline's vertices is dynamic, but vkCmdBindVertexBuffers does not set it.
// Fix: vkCmdBindVertexBuffers2 sets it before the pipeline is bound. A later vkCmdBindVertexBuffers keeps it. The
// stride in the pipeline, with which the draw would read behind the end of the buffer, is ignored.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-pStrides-04913
// EXIT any
#include "common/vulkan_vertices.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeStridedRendering(8 * kVertexBytes);
  const Buffer vertices = MakeBuffer(3 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const VkDeviceSize offset = 0;
  Begin();
#ifndef DEFECT
  BindWithStride(vertices, kVertexBytes);
#endif
  BeginRendering(rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Close(vertices, rendering);
}
