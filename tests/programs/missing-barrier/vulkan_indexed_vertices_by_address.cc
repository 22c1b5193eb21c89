// Defect: A vertex shader reads a buffer by an address in its push constants right behind the fill of the buffer. Indices
// say which vertices there are.
// Fix: A barrier stands between them.
// EXPECT warning missing-barrier vkCmdDrawIndexed at DRAW
// EXPECT-FACT hazard=RAW
#include "common/vulkan_pulled_vertices.h"

int main() {
  OpenForPulling();
  const Pulling pulling = MakePulling();
  const Buffer corners = MakeAddressedBuffer(6 * kCornerBytes);
  const Buffer indices = MakeZeros(6 * sizeof(uint32_t), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  Begin();
  vkCmdFillBuffer(commands, corners.handle, 0, VK_WHOLE_SIZE, 0);
#ifndef DEFECT
  FillsBeforeVertices();
#endif
  BeginRendering(pulling.rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pulling.draws);
  vkCmdBindIndexBuffer(commands, indices.handle, 0, VK_INDEX_TYPE_UINT32);
  PushCorners(pulling, corners);
  // @DRAW
  vkCmdDrawIndexed(commands, 6, 1, 0, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Close(indices, corners, pulling);
}
