// Defect: Shaders read or write buffers by addresses, and nothing orders the accesses with a fill,
// a copy or conditional rendering.
// Fix: A barrier for the accesses orders them.
#include "common/vulkan_barriers.h"
#include "common/vulkan_conditions.h"
#include "common/vulkan_pulled_vertices.h"
#include "common/vulkan_pushed_addresses.h"

// Defect: A vertex shader reads a buffer by an address in its push constants right behind the fill
// of the buffer. Fix: A barrier stands between them.
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

// Defect: A vertex shader reads a buffer by an address in its push constants right behind the fill
// of the buffer. Indices say which vertices there are. Fix: A barrier stands between them.
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

// Defect: The vertex shader of an indirect draw reads a buffer by an address in its push constants
// right behind the fill of the buffer. Fix: A barrier stands between them.
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

// Defect: A fragment shader reads a buffer by an address in its push constants. The barrier behind
// the fill of the buffer names the vertex shader. Fix: The barrier names the fragment shader.
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

// Defect: A copy reads a buffer that a shader has written by an address in its push constants, and
// no barrier orders the two. Fix: A barrier stands between them.
// EXPECT error missing-barrier vkCmdCopyBuffer at COPY
// EXPECT-FACT hazard=RAW
// EXPECT-FACT earlier_byte_range=64 to 319
static void CopyBehindAWriteByAddress() {
  OpenForShaders();
  const Pushing number = MakePushing(address_comp, sizeof(VkDeviceAddress));
  const Buffer words = MakeAddressedBuffer(1024), target = MakeBuffer(1024);
  Begin();
  vkCmdFillBuffer(commands, words.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Dispatch(number, AddressOf(words.handle) + 64, 1);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  const VkBufferCopy all = {0, 0, 1024};
  // @COPY
  vkCmdCopyBuffer(commands, words.handle, target.handle, 1, &all);
  Run();
  Close(words, target, number);
}

// Defect: Conditional rendering reads its predicate behind a fill, without a barrier for that read.
// Fix: The barrier names the stage and the access of conditional rendering.
// EXPECT error missing-barrier vkCmdBeginConditionalRenderingEXT at BEGIN
static void ConditionReadTooEarly() {
  OpenForConditions();
  const Buffer buffer = MakeBuffer(4096, kCondition);
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer);
  Begin();
  vkCmdFillBuffer(commands, buffer.handle, 0, 4096, 1);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
#ifdef DEFECT
  barrier.dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
#else
  barrier.dstAccessMask = VK_ACCESS_CONDITIONAL_RENDERING_READ_BIT_EXT;
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT;
#endif
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, stage, 0, 1, &barrier, 0, nullptr,
                       0, nullptr);
  // @BEGIN
  begin_conditional(commands, &info);
  end_conditional(commands);
  Run();
  Close(buffer);
}

int main() {
  OpenForPulling();
  VerticesReadByAddress();
  IndexedVerticesByAddress();
  IndirectDrawsByAddress();
  FragmentsReadByAddress();
  Close();
  CopyBehindAWriteByAddress();
  ConditionReadTooEarly();
}
