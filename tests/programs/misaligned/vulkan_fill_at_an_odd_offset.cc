// Defect: Fills a buffer from an offset that is not a multiple of four.
// Fix: Fills a buffer from an offset that is a multiple of four.
// EXPECT error misaligned vkCmdFillBuffer at FILL
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096);
  Begin();
#ifdef DEFECT
  // @FILL
  vkCmdFillBuffer(commands, buffer.handle, 2, 1024, 0);
#else
  vkCmdFillBuffer(commands, buffer.handle, 4, 1024, 0);
#endif
  OK(vkEndCommandBuffer(commands));
  Close(buffer);
}
