// Defect: Draws with a number of draws from a buffer, which nothing has written.
// Fix: Writes the number.
// EXPECT warning uninitialized-read vkCmdDrawIndirectCount at DRAW
#include "common/vulkan_inputs.h"

int main() {
  OpenForDrawCounts();
  const Inputs inputs = MakeInputs();
  Begin();
  Fill(inputs.vertices, 0, VK_WHOLE_SIZE);
  Fill(inputs.parameters, 0, 64);
#ifndef DEFECT
  Fill(inputs.parameters, 64, 4);
#endif
  BeginInputDraws(inputs);
  // @DRAW
  vkCmdDrawIndirectCount(commands, inputs.parameters.handle, 0, inputs.parameters.handle, 64, 1,
                         sizeof(VkDrawIndirectCommand));
  vkCmdEndRendering(commands);
  Run();
  Close(inputs);
}
