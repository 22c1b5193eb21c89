// Defect: A vertex shader reads a buffer by an address in its push constants right behind the fill of the buffer.
// Fix: A barrier stands between them.
// EXPECT error missing-barrier vkCmdDraw at DRAW
// EXPECT-FACT hazard=RAW
#include "common/vulkan_pulled_vertices.h"

int main() {
  OpenForPulling();
  const Pulling pulling = MakePulling();
  const Buffer corners = MakeAddressedBuffer(6 * kCornerBytes);
  Begin();
  vkCmdFillBuffer(commands, corners.handle, 0, VK_WHOLE_SIZE, 0);
#ifndef DEFECT
  FillsBeforeVertices();
#endif
  BeginRendering(pulling.rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pulling.draws);
  PushCorners(pulling, corners);
  // @DRAW
  vkCmdDraw(commands, 6, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Close(corners, pulling);
}
