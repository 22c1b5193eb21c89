// Defect: The vertex shader of an indirect draw reads a buffer by an address in its push constants right behind the fill of
// the buffer.
// Fix: A barrier stands between them.
// EXPECT warning missing-barrier vkCmdDrawIndirect at DRAW
// EXPECT-FACT hazard=RAW
#include "common/vulkan_pulled_vertices.h"

int main() {
  OpenForPulling();
  const Pulling pulling = MakePulling();
  const Buffer corners = MakeAddressedBuffer(6 * kCornerBytes);
  const Buffer parameters =
      MakeZeros(sizeof(VkDrawIndirectCommand), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  Begin();
  vkCmdFillBuffer(commands, corners.handle, 0, VK_WHOLE_SIZE, 0);
  FillsBeforeVertices();
  vkCmdFillBuffer(commands, pulling.moved.handle, 0, VK_WHOLE_SIZE, 0);
#ifndef DEFECT
  FillsBeforeVertices();
#endif
  BeginRendering(pulling.rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pulling.draws);
  PushCorners(pulling, corners);
  // @DRAW
  vkCmdDrawIndirect(commands, parameters.handle, 0, 1, sizeof(VkDrawIndirectCommand));
  vkCmdEndRendering(commands);
  Run();
  Close(parameters, corners, pulling);
}
