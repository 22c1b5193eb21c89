// Fills a buffer from an offset that is no multiple of four.
// EXPECT error misaligned vkCmdFillBuffer at FILL
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096);
  Begin();
  // @FILL
  vkCmdFillBuffer(commands, buffer.handle, 2, 1024, 0);
  OK(vkEndCommandBuffer(commands));
  Destroy(buffer);
  Close();
}
