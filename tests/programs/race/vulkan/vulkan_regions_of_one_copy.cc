// Defect: One copy within a buffer moves two blocks, and the second region reads what the first one writes.
// Fix: The second region reads what neither of them writes.
// EXPECT error race vkCmdCopyBuffer at HERE
// EXPECT-TEXT the source of bytes 1024 to 2047 .pRegions.1.. and the destination of bytes 1024 to 2047 .pRegions.0..
// EXPECT-FACT vuid=VUID-vkCmdCopyBuffer-pRegions-00117
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeStaging(8192);
  Begin();
#ifdef DEFECT
  const VkBufferCopy regions[] = {{0, 1024, 1024}, {1024, 4096, 1024}};
#else
  const VkBufferCopy regions[] = {{0, 1024, 1024}, {2048, 4096, 1024}};
#endif
  // @HERE
  vkCmdCopyBuffer(commands, buffer.handle, buffer.handle, 2, regions);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(buffer);
}
