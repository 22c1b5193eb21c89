// Defect: Records a copy from a buffer that has been destroyed.
// Fix: Records a copy from a buffer, and destroys it afterwards.
// EXPECT error use-after-free vkCmdCopyBuffer at COPY
// EXPECT-PARTY release at RELEASE
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer source = MakeStaging(4096), target = MakeBuffer(4096);
  Begin();
#ifdef DEFECT
  // @RELEASE
  vkDestroyBuffer(device, source.handle, nullptr);
#endif
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  // It is not submitted.
  OK(vkEndCommandBuffer(commands));
#ifndef DEFECT
  vkDestroyBuffer(device, source.handle, nullptr);
#endif
  Close(source.memory, target);
}
