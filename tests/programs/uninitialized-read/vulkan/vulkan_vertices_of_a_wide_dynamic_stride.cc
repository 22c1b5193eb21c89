// Defect: A draw reads its vertices 64 bytes apart, behind the six vertices of 8 bytes that have been written.
// Fix: Its vertices are 8 bytes apart.
// EXPECT warning uninitialized-read vkCmdDraw at DRAW
#include "common/vulkan_vertices.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeStridedRendering(kVertexBytes);
  const Buffer vertices = MakeBuffer(512, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  Begin();
  vkCmdFillBuffer(commands, vertices.handle, 0, 6 * kVertexBytes, 0);
  Run();
  BeginDraws(rendering);
#ifdef DEFECT
  const VkDeviceSize stride = 64;
#else
  const VkDeviceSize stride = kVertexBytes;
#endif
  BindWithStride(vertices, stride);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 3, 0);
  vkCmdEndRendering(commands);
  Run();
  Close(vertices, rendering);
}
