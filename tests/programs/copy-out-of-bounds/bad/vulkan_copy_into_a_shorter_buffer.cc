// Copies more bytes than the destination has.
// EXPECT error copy-out-of-bounds vkCmdCopyBuffer at COPY
// EXPECT-FACT size_bytes=4096
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer source = MakeStaging(4096);
  const Buffer target = MakeBuffer(2048);
  Begin();
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  // It is not submitted: the device would write past the end.
  OK(vkEndCommandBuffer(commands));
  Destroy(source);
  Destroy(target);
  Close();
}
