// Copies from a buffer that nothing has written.
// EXPECT warning uninitialized-read vkCmdCopyBuffer at COPY
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer a = MakeBuffer(4096), b = MakeBuffer(4096);
  Begin();
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  Run();
  Destroy(a);
  Destroy(b);
  Close();
}
