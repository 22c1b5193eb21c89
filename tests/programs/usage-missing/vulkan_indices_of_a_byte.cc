// Defect: Binds an index buffer with indices of one byte without the feature for them.
// Fix: The indices have two bytes.
// EXPECT error usage-missing vkCmdBindIndexBuffer at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindIndexBuffer-indexType-08787
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer indices = MakeBuffer(64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
#ifdef DEFECT
  const VkIndexType type = VK_INDEX_TYPE_UINT8_EXT;
#else
  const VkIndexType type = VK_INDEX_TYPE_UINT16;
#endif
  Begin();
  // @BIND
  vkCmdBindIndexBuffer(commands, indices.handle, 0, type);
  OK(vkEndCommandBuffer(commands));
  Close(indices);
}
