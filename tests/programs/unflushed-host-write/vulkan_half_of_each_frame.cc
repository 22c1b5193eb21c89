// Defect: Each frame writes all of the staging memory, flushes its first half, and copies all of
// the memory.
// Fix: Each frame writes and flushes the first half, and copies all of the memory.
// EXPECT error unflushed-host-write vkQueueSubmit at SUBMIT
// EXPECT-PARTY map at MAP
// EXPECT-FACT memory_offset=2048
// EXPECT-FACT size_bytes=2048
// EXPECT-COUNT any
#include "common/vulkan_host.h"

int main() {
  OpenWithNonCoherentMemory();
  const Buffer staging = MakeNonCoherent(4096), target = MakeBuffer(4096);
  void* data;
  // @MAP
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, staging.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  const VkMappedMemoryRange range = MappedRange(staging, 0, 2048);
  for (int frame = 0; frame < 3; ++frame) {
#ifdef DEFECT
    memset(data, frame + 1, 4096);
#else
    memset(data, frame + 1, 2048);
#endif
    OK(vkFlushMappedMemoryRanges(device, 1, &range));
    // @SUBMIT
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    OK(vkQueueWaitIdle(queue));
  }
  Close(staging, target);
}
