// Defect: A draw of six vertices reads them by an address from a buffer that has four.
// Fix: The draw begins so that it ends with the buffer.
// EXPECT error kernel-argument-out-of-bounds vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819
// EXPECT-FACT outside_bytes=32
// EXIT any
#include "common/vulkan_pulled_vertices.h"

int main() {
  OpenForPulling();
  const Pulling pulling = MakePulling();
  const Buffer corners = MakeAddressedBuffer(4 * kCornerBytes);
  Begin();
  vkCmdFillBuffer(commands, corners.handle, 0, VK_WHOLE_SIZE, 0);
  FillsBeforeVertices();
  BeginRendering(pulling.rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pulling.draws);
  PushCorners(pulling, corners);
#ifdef DEFECT
  constexpr uint32_t kVertices = 6;
#else
  constexpr uint32_t kVertices = 3;
#endif
  // @DRAW
  vkCmdDraw(commands, kVertices, 1, kVertices == 3 ? 1 : 0, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(corners, pulling);
}
