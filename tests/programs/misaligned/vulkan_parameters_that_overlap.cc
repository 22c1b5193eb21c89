// Defect: The parameters of each draw begin before those of the draw in front of it end.
// Fix: The stride is the size of the parameters. The stride of a single draw is not used.
// EXPECT error misaligned vkCmdDrawIndirectCount at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDrawIndirectCount-stride-03110
// EXIT any
#include "common/vulkan_inputs.h"

int main() {
  OpenForDrawCounts();
  const Inputs inputs = MakeInputs();
  const Buffer counts = MakeBuffer(16, kCopies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  Begin();
  Fill(inputs.parameters, 0, 256);
  Fill(counts, 0, 16);
  Fill(inputs.vertices, 0, kVerticesBytes);
  BeginInputDraws(inputs);
  uint32_t stride = sizeof(VkDrawIndirectCommand);
#ifdef DEFECT
  stride = 12;
#endif
  // @DRAW
  vkCmdDrawIndirectCount(commands, inputs.parameters.handle, 0, counts.handle, 0, 4, stride);
  vkCmdDrawIndirect(commands, inputs.parameters.handle, 0, 1, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(counts, inputs);
}
