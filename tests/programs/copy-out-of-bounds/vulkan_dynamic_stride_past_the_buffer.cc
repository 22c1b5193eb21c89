// Defect: vkCmdBindVertexBuffers2 sets twice the stride of the vertices in the buffer, so that the draw reads behind its end.
// Fix: It sets the stride of the vertices. vkCmdBindVertexBuffers would keep it.
// EXPECT error copy-out-of-bounds vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-02721
// EXIT any
#include "common/vulkan_vertices.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeStridedRendering(kVertexBytes);
  const Buffer vertices = MakeBuffer(4 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  BeginDraws(rendering);
#ifdef DEFECT
  const VkDeviceSize stride = 2 * kVertexBytes;
#else
  const VkDeviceSize stride = kVertexBytes;
#endif
  BindWithStride(vertices, stride);
  const VkDeviceSize second = kVertexBytes;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &second);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Close(vertices, rendering);
}
