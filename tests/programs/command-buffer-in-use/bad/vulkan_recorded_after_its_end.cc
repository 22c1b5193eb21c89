// Records a command into a command buffer that has been ended.
// EXPECT error command-buffer-in-use vkCmdFillBuffer at FILL
// EXPECT-FACT state=executable
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096);
  Begin();
  OK(vkEndCommandBuffer(commands));
  // @FILL
  vkCmdFillBuffer(commands, buffer.handle, 0, 4096, 0);
  Destroy(buffer);
  Close();
}
