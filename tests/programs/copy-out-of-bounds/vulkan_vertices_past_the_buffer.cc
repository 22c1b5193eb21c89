// Defect: A draw reads one vertex more than its buffer has.
// Fix: It ends with the last vertex.
// EXPECT error copy-out-of-bounds vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-02721
// EXIT any
#include "common/vulkan_vertices.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeVertexRendering();
  const Buffer vertices = MakeBuffer(6 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
#ifdef DEFECT
  const uint32_t first = 3;
#else
  const uint32_t first = 2;
#endif
  BeginDraws(rendering);
  const VkDeviceSize offset = kVertexBytes;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
  // @DRAW
  vkCmdDraw(commands, 3, 1, first, 0);
  EndDraws();
  Close(vertices, rendering);
}
