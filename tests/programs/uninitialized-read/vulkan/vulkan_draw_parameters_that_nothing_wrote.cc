// Defect: Draws with parameters from a buffer, of which it writes other bytes.
// Fix: Writes the parameters.
// EXPECT warning uninitialized-read vkCmdDrawIndirect at DRAW
#include "common/vulkan_inputs.h"

int main() {
  OpenForRendering();
  const Inputs inputs = MakeInputs();
  Begin();
  Fill(inputs.vertices, 0, VK_WHOLE_SIZE);
#ifdef DEFECT
  Fill(inputs.parameters, 0, 64);
#else
  Fill(inputs.parameters, 64, sizeof(VkDrawIndirectCommand));
#endif
  BeginInputDraws(inputs);
  // @DRAW
  vkCmdDrawIndirect(commands, inputs.parameters.handle, 64, 1, 0);
  vkCmdEndRendering(commands);
  Run();
  Close(inputs);
}
