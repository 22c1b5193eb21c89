// Defect: A draw reads one index more than the index buffer has.
// Fix: It ends with the last index.
// EXPECT error copy-out-of-bounds vkCmdDrawIndexed at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDrawIndexed-robustBufferAccess2-08798
// EXIT any
#include "common/vulkan_vertices.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeVertexRendering();
  const Buffer vertices = MakeBuffer(3 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const Buffer indices = MakeBuffer(6 * 2, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
#ifdef DEFECT
  const uint32_t first = 2;
#else
  const uint32_t first = 1;
#endif
  BeginDraws(rendering);
  const VkDeviceSize offset = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
  vkCmdBindIndexBuffer(commands, indices.handle, 4, VK_INDEX_TYPE_UINT16);
  // @DRAW
  vkCmdDrawIndexed(commands, 3, 1, first, 0, 0);
  EndDraws();
  Close(vertices, indices, rendering);
}
