// Defect: Indices of 32 bits begin at byte 2 of their buffer.
// Fix: They begin at a multiple of 4 bytes.
// EXPECT error misaligned vkCmdBindIndexBuffer at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindIndexBuffer-offset-08783
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer indices = MakeBuffer(4096, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
#ifdef DEFECT
  const VkDeviceSize offset = 2;
#else
  const VkDeviceSize offset = 4;
#endif
  Begin();
  // @BIND
  vkCmdBindIndexBuffer(commands, indices.handle, offset, VK_INDEX_TYPE_UINT32);
  OK(vkEndCommandBuffer(commands));
  Close(indices);
}
