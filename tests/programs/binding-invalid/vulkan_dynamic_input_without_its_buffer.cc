// Defect: vkCmdSetVertexInputEXT takes the vertices from binding 1, but the buffer is bound to binding 0.
// Fix: The buffer is bound to binding 1.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-04007
// EXIT any
#include "common/vulkan_dynamic_inputs.h"

int main() {
  OpenForDynamicInputs();
  const Rendering rendering = MakeDynamicInputs();
  const Buffer vertices = MakeBuffer(4096, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  BeginDraws(rendering);
  SetInput(1, kVertexBytes);
#ifdef DEFECT
  constexpr uint32_t kBinding = 0;
#else
  constexpr uint32_t kBinding = 1;
#endif
  const VkDeviceSize none = 0;
  vkCmdBindVertexBuffers(commands, kBinding, 1, &vertices.handle, &none);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Close(vertices, rendering);
}
