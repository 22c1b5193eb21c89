// Defect: An indexed draw is recorded before the index buffer is bound.
// Fix: The index buffer is bound first.
// EXPECT error binding-invalid vkCmdDrawIndexed at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDrawIndexed-None-07312
// EXIT any
#include "common/vulkan_vertices.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeVertexRendering();
  const Buffer vertices = MakeBuffer(3 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const Buffer indices = MakeBuffer(6, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  BeginDraws(rendering);
  const VkDeviceSize offset = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
#ifndef DEFECT
  vkCmdBindIndexBuffer(commands, indices.handle, 0, VK_INDEX_TYPE_UINT16);
#endif
  // @DRAW
  vkCmdDrawIndexed(commands, 3, 1, 0, 0, 0);
  EndDraws();
  Close(vertices, indices, rendering);
}
