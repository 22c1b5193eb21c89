// Defect: Copies from a buffer that was not created as the source of copies.
// Fix: Copies from a buffer that was created as the source of copies.
// EXPECT error usage-missing vkCmdCopyBuffer at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyBuffer-srcBuffer-00118
#include "common/vulkan.h"

int main() {
  Open();
#ifdef DEFECT
  const Buffer source = MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
#else
  const Buffer source = MakeBuffer(4096, kCopies);
#endif
  const Buffer target = MakeBuffer(4096);
  Begin();
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  Close(source, target);
}
