// Defect: Binds a vertex buffer without the array of its offsets.
// Fix: Passes one offset for each vertex buffer.
// EXPECT error invalid-pointer vkCmdBindVertexBuffers at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindVertexBuffers-pOffsets-parameter
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer vertices = MakeBuffer(4096, kCopies | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  Begin();
  const VkDeviceSize zero = 0;
  const VkDeviceSize* offsets = &zero;
#ifdef DEFECT
  offsets = nullptr;
#endif
  // @BIND
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, offsets);
  Run();
  Close(vertices);
}
