// Defect: The stride that vkCmdSetVertexInputEXT sets is twice that of the vertices in the buffer.
// Fix: It is their stride.
// EXPECT error copy-out-of-bounds vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-02721
// EXIT any
#include "common/vulkan_dynamic_inputs.h"

int main() {
  OpenForDynamicInputs();
  const Rendering rendering = MakeDynamicInputs();
  const Buffer vertices = MakeBuffer(3 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  BeginDraws(rendering);
#ifdef DEFECT
  SetInput(0, 2 * kVertexBytes);
#else
  SetInput(0, kVertexBytes);
#endif
  const VkDeviceSize none = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &none);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Close(vertices, rendering);
}
