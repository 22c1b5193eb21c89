// Defect: A fragment shader reads a buffer by an address in its push constants. The barrier behind the fill of the buffer
// names the vertex shader.
// Fix: The barrier names the fragment shader.
// EXPECT warning missing-barrier vkCmdDraw at DRAW
// EXPECT-FACT hazard=RAW
#include "common/vulkan_barriers.h"
#include "common/vulkan_pulled_vertices.h"

int main() {
  OpenForPulling();
  const Pulling pulling = MakePulling(nullptr, true);
  const Buffer corners = MakeAddressedBuffer(3 * kCornerBytes);
  const Buffer paint = MakeAddressedBuffer(16);
  Begin();
  vkCmdFillBuffer(commands, corners.handle, 0, VK_WHOLE_SIZE, 0);
  vkCmdFillBuffer(commands, paint.handle, 0, VK_WHOLE_SIZE, 0);
  FillsBeforeVertices();
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
#endif
  BeginRendering(pulling.rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pulling.draws);
  PushCorners(pulling, corners);
  PushPaint(pulling, paint);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Close(paint, corners, pulling);
}
