// Defect: Writes the vertices of an indexed draw, but not its indices.
// Fix: Writes both.
// EXPECT warning uninitialized-read vkCmdDrawIndexed at DRAW
#include "common/vulkan_inputs.h"

int main() {
  OpenForRendering();
  const Inputs inputs = MakeInputs();
  Begin();
  Fill(inputs.vertices, 0, VK_WHOLE_SIZE);
#ifndef DEFECT
  Fill(inputs.indices, 0, 12);
#endif
  BeginInputDraws(inputs);
  // @DRAW
  vkCmdDrawIndexed(commands, 6, 1, 0, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Close(inputs);
}
