// Defect: Copies more bytes than the destination has.
// Fix: Copies as many bytes as the destination has.
// EXPECT error copy-out-of-bounds vkCmdCopyBuffer at COPY
// EXPECT-FACT size_bytes=4096
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer source = MakeStaging(4096);
  const Buffer target = MakeBuffer(2048);
  Begin();
#ifdef DEFECT
  const VkBufferCopy all = {0, 0, 4096};
#else
  const VkBufferCopy all = {0, 0, 2048};
#endif
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  // It is not submitted: the device would write past the end.
  OK(vkEndCommandBuffer(commands));
  Close(source, target);
}
