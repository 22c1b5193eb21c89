// Defect: Records a copy from VK_NULL_HANDLE.
// Fix: Copies from the buffer.
// EXPECT error invalid-handle vkCmdCopyBuffer at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyBuffer-srcBuffer-parameter
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  VkBuffer source = a.handle;
#ifdef DEFECT
  source = VK_NULL_HANDLE;
#endif
  // @COPY
  vkCmdCopyBuffer(commands, source, b.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  Close(a, b);
}
