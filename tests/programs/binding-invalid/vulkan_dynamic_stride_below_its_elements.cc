// Defect: vkCmdBindVertexBuffers2 sets the stride of positions, but the elements also have an offset in front of them.
// Fix: It sets the size of a whole element. A stride of 0 is allowed too: each vertex reads the same element.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdBindVertexBuffers2-pStrides-06209
#include "common/vulkan_vertices.h"

int main() {
  OpenForRendering();
  constexpr uint32_t kInFront = 4;
  const Rendering rendering = MakeStridedRendering(64, VK_FORMAT_R32G32_SFLOAT, kInFront);
  const Buffer vertices = MakeBuffer(256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  Begin();
  vkCmdFillBuffer(commands, vertices.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  BeginDraws(rendering);
  BindWithStride(vertices, 0);
  vkCmdDraw(commands, 3, 1, 0, 0);
#ifdef DEFECT
  BindWithStride(vertices, kVertexBytes);
#else
  BindWithStride(vertices, kInFront + kVertexBytes);
#endif
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Close(vertices, rendering);
}
