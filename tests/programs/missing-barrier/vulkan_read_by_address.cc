// Defect: Shaders of a draw read a buffer by its address right behind the fill of the buffer.
// Fix: A barrier for the stage of the shader is behind the fill.
#include "common/vulkan_barriers.h"
#include "common/vulkan_pulled_vertices.h"

// Defect: A vertex shader reads a buffer by an address in its push constants right behind the fill of the buffer.
// Fix: A barrier stands between them.
// EXPECT error missing-barrier vkCmdDraw at DRAW
// EXPECT-FACT hazard=RAW
static void VerticesReadByAddress() {
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
  Destroy(corners, pulling);
}

// Defect: A vertex shader reads a buffer by an address in its push constants right behind the fill of the buffer. Indices
// say which vertices there are.
// Fix: A barrier stands between them.
// EXPECT warning missing-barrier vkCmdDrawIndexed at DRAW_2
// EXPECT-FACT hazard=RAW
static void IndexedVerticesByAddress() {
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
  // @DRAW_2
  vkCmdDrawIndexed(commands, 6, 1, 0, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(indices, corners, pulling);
}

// Defect: The vertex shader of an indirect draw reads a buffer by an address in its push constants right behind the fill of
// the buffer.
// Fix: A barrier stands between them.
// EXPECT warning missing-barrier vkCmdDrawIndirect at DRAW_3
// EXPECT-FACT hazard=RAW
static void IndirectDrawsByAddress() {
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
  // @DRAW_3
  vkCmdDrawIndirect(commands, parameters.handle, 0, 1, sizeof(VkDrawIndirectCommand));
  vkCmdEndRendering(commands);
  Run();
  Destroy(parameters, corners, pulling);
}

// Defect: A fragment shader reads a buffer by an address in its push constants. The barrier behind the fill of the buffer
// names the vertex shader.
// Fix: The barrier names the fragment shader.
// EXPECT warning missing-barrier vkCmdDraw at DRAW_4
// EXPECT-FACT hazard=RAW
static void FragmentsReadByAddress() {
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
  // @DRAW_4
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(paint, corners, pulling);
}

int main() {
  OpenForPulling();
  VerticesReadByAddress();
  IndexedVerticesByAddress();
  IndirectDrawsByAddress();
  FragmentsReadByAddress();
  Close();
}
