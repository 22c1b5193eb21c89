// Defect: Writes three vertices, and draws the three behind them.
// Fix: Writes all six.
// EXPECT warning uninitialized-read vkCmdDraw at DRAW
#include "common/vulkan_inputs.h"

int main() {
  OpenForRendering();
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
  Close(inputs);
}
