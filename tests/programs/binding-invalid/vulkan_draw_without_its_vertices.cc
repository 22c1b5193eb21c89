// Defect: A draw reads vertices, but no vertex buffer is bound.
// Fix: The vertex buffer is bound. The binding that the shader does not read needs none.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-04007
// EXIT any
#include "common/vulkan_vertices.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeVertexRendering();
  const Buffer vertices = MakeBuffer(3 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  BeginDraws(rendering);
#ifndef DEFECT
  const VkDeviceSize offset = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
#endif
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Close(vertices, rendering);
}
