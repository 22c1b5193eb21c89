// Defect: vkCmdUpdateBuffer is given more than the 65536 bytes that one update may have.
// Fix: The update has 65536 bytes.
// EXPECT error copy-out-of-bounds vkCmdUpdateBuffer at UPDATE
// EXPECT-FACT vuid=VUID-vkCmdUpdateBuffer-dataSize-00037
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(131072);
  const std::vector<char> data(131072);
#ifdef DEFECT
  const VkDeviceSize bytes = 70000;
#else
  const VkDeviceSize bytes = 65536;
#endif
  Begin();
  // @UPDATE
  vkCmdUpdateBuffer(commands, buffer.handle, 0, bytes, data.data());
  Run();
  Close(buffer);
}
