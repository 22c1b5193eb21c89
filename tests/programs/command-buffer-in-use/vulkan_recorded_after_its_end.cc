// Defect: Records a command into a command buffer that has been ended.
// Fix: Records a command into a command buffer before it is ended.
// EXPECT error command-buffer-in-use vkCmdFillBuffer at FILL
// EXPECT-FACT state=executable
// EXPECT-FACT vuid=VUID-vkCmdFillBuffer-commandBuffer-recording
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096);
  Begin();
#ifdef DEFECT
  OK(vkEndCommandBuffer(commands));
  // @FILL
  vkCmdFillBuffer(commands, buffer.handle, 0, 4096, 0);
#else
  vkCmdFillBuffer(commands, buffer.handle, 0, 4096, 0);
  OK(vkEndCommandBuffer(commands));
#endif
  Close(buffer);
}
