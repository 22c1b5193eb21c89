// Defect: The dynamic stride of vertices of 32-bit numbers is 10 bytes, so that every other vertex is misaligned.
// Fix: It is 12 bytes. The first vertex of the misaligned stride alone could be drawn.
// EXPECT error misaligned vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-format-10390
// EXIT any
#include "common/vulkan_vertices.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeStridedRendering(kVertexBytes);
  const Buffer vertices = MakeBuffer(256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  Begin();
  vkCmdFillBuffer(commands, vertices.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  BeginDraws(rendering);
  BindWithStride(vertices, 10);
  vkCmdDraw(commands, 1, 1, 2, 0);
#ifndef DEFECT
  BindWithStride(vertices, 12);
#endif
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Close(vertices, rendering);
}
