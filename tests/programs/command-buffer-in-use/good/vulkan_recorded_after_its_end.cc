// Records a command into a command buffer before it is ended.
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096);
  Begin();
  vkCmdFillBuffer(commands, buffer.handle, 0, 4096, 0);
  OK(vkEndCommandBuffer(commands));
  Destroy(buffer);
  Close();
}
