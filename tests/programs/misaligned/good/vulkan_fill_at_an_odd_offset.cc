// Fills a buffer from an offset that is a multiple of four.
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096);
  Begin();
  vkCmdFillBuffer(commands, buffer.handle, 4, 1024, 0);
  OK(vkEndCommandBuffer(commands));
  Destroy(buffer);
  Close();
}
