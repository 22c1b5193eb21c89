// Copies from a buffer that was made as the source of copies.
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer source = MakeBuffer(4096, kCopies);
  const Buffer target = MakeBuffer(4096);
  Begin();
  const VkBufferCopy all = {0, 0, 4096};
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  Destroy(source);
  Destroy(target);
  Close();
}
