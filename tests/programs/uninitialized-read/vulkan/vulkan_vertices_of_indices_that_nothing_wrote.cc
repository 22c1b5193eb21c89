// Defect: Writes the indices of a draw, but no vertices.
// Fix: Writes both.
// EXPECT warning uninitialized-read vkCmdDrawIndexed at DRAW
#include "common/vulkan_inputs.h"

int main() {
  OpenForRendering();
  const Inputs inputs = MakeInputs();
  Begin();
  Fill(inputs.indices, 0, 12);
#ifndef DEFECT
  Fill(inputs.vertices, 0, 6 * kVertexBytes);
#endif
  BeginInputDraws(inputs);
  // @DRAW
  vkCmdDrawIndexed(commands, 6, 1, 0, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Close(inputs);
}
