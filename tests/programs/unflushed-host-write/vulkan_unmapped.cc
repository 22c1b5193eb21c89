// Defect: What was flushed once is changed in a second mapping, which ends without a flush. An
// unmap does not flush.
// Fix: The change is flushed before the unmap.
// EXPECT error unflushed-host-write vkQueueSubmit at SUBMIT
// EXPECT-FACT memory_offset=0
// EXPECT-FACT size_bytes=64
#include "common/vulkan_host.h"

int main() {
  OpenWithNonCoherentMemory();
  const Buffer staging = MakeNonCoherent(4096), target = MakeBuffer(4096);
  const VkMappedMemoryRange range = MappedRange(staging);
  void* data;
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 7, 4096);
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  vkUnmapMemory(device, staging.memory);
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 8, 64);
#ifndef DEFECT
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
#endif
  vkUnmapMemory(device, staging.memory);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, staging.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(staging, target);
}
