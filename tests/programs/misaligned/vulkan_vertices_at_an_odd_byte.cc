// Defect: Binds a vertex buffer at byte 2, from which the vertex shader reads numbers of 32 bits.
// Fix: Binds it at a multiple of 4 bytes.
// EXPECT error misaligned vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-format-10390
// EXIT any
#include "common/vulkan_vertices.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeVertexRendering();
  const Buffer vertices = MakeBuffer(4096, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  Begin();
  vkCmdFillBuffer(commands, vertices.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
#ifdef DEFECT
  const VkDeviceSize offset = 2;
#else
  const VkDeviceSize offset = 4;
#endif
  BeginDraws(rendering);
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Close(vertices, rendering);
}
