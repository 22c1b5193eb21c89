// Defect: Draws read vertices, indices, parameters and numbers of draws that nothing has written.
// Fix: The buffers are written before the draw.
#include "common/vulkan_vertices.h"

// Defect: Writes three vertices, and draws the three behind them.
// Fix: Writes all six.
// EXPECT warning uninitialized-read vkCmdDraw at DRAW
static void VerticesThatNothingWrote() {
  const Inputs inputs = MakeInputs();
  Begin();
#ifdef DEFECT
  Fill(inputs.vertices, 0, 3 * kVertexBytes);
#else
  Fill(inputs.vertices, 0, 6 * kVertexBytes);
#endif
  BeginInputDraws(inputs);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 3, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(inputs);
}

// Defect: Writes the vertices of an indexed draw, but not its indices.
// Fix: Writes both.
// EXPECT warning uninitialized-read vkCmdDrawIndexed at DRAW_2
static void IndicesThatNothingWrote() {
  const Inputs inputs = MakeInputs();
  Begin();
  Fill(inputs.vertices, 0, VK_WHOLE_SIZE);
#ifndef DEFECT
  Fill(inputs.indices, 0, 12);
#endif
  BeginInputDraws(inputs);
  // @DRAW_2
  vkCmdDrawIndexed(commands, 6, 1, 0, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(inputs);
}

// Defect: Writes the indices of a draw, but no vertices.
// Fix: Writes both.
// EXPECT warning uninitialized-read vkCmdDrawIndexed at DRAW_3
static void VerticesOfIndicesThatNothingWrote() {
  const Inputs inputs = MakeInputs();
  Begin();
  Fill(inputs.indices, 0, 12);
#ifndef DEFECT
  Fill(inputs.vertices, 0, 6 * kVertexBytes);
#endif
  BeginInputDraws(inputs);
  // @DRAW_3
  vkCmdDrawIndexed(commands, 6, 1, 0, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(inputs);
}

// Defect: Draws with parameters from a buffer, of which it writes other bytes.
// Fix: Writes the parameters.
// EXPECT warning uninitialized-read vkCmdDrawIndirect at DRAW_4
static void DrawParametersThatNothingWrote() {
  const Inputs inputs = MakeInputs();
  Begin();
  Fill(inputs.vertices, 0, VK_WHOLE_SIZE);
#ifdef DEFECT
  Fill(inputs.parameters, 0, 64);
#else
  Fill(inputs.parameters, 64, sizeof(VkDrawIndirectCommand));
#endif
  BeginInputDraws(inputs);
  // @DRAW_4
  vkCmdDrawIndirect(commands, inputs.parameters.handle, 64, 1, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(inputs);
}

// Defect: A draw reads its vertices 64 bytes apart, behind the six vertices of 8 bytes that have
// been written. Fix: Its vertices are 8 bytes apart.
// EXPECT warning uninitialized-read vkCmdDraw at DRAW_5
static void VerticesOfAWideDynamicStride() {
  const Rendering rendering = MakeStridedRendering(kVertexBytes);
  const Buffer vertices = MakeBuffer(512, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  Begin();
  vkCmdFillBuffer(commands, vertices.handle, 0, 6 * kVertexBytes, 0);
  Run();
  BeginDraws(rendering);
#ifdef DEFECT
  const VkDeviceSize stride = 64;
#else
  const VkDeviceSize stride = kVertexBytes;
#endif
  BindWithStride(vertices, stride);
  // @DRAW_5
  vkCmdDraw(commands, 3, 1, 3, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(vertices, rendering);
}

// Defect: Draws with a number of draws from a buffer, which nothing has written.
// Fix: Writes the number.
// EXPECT warning uninitialized-read vkCmdDrawIndirectCount at DRAW_6
static void DrawCountThatNothingWrote() {
  OpenForDrawCounts();
  const Inputs inputs = MakeInputs();
  Begin();
  Fill(inputs.vertices, 0, VK_WHOLE_SIZE);
  Fill(inputs.parameters, 0, 64);
#ifndef DEFECT
  Fill(inputs.parameters, 64, 4);
#endif
  BeginInputDraws(inputs);
  // @DRAW_6
  vkCmdDrawIndirectCount(commands, inputs.parameters.handle, 0, inputs.parameters.handle, 64, 1,
                         sizeof(VkDrawIndirectCommand));
  vkCmdEndRendering(commands);
  Run();
  Close(inputs);
}

int main() {
  OpenForRendering();
  VerticesThatNothingWrote();
  IndicesThatNothingWrote();
  VerticesOfIndicesThatNothingWrote();
  DrawParametersThatNothingWrote();
  VerticesOfAWideDynamicStride();
  Close();
  DrawCountThatNothingWrote();
}
