// Defect: Data is written to memory that is not coherent and uploaded without a flush.
// Fix: The data is flushed before the upload.
// EXPECT error unflushed-host-write vkQueueSubmit at SUBMIT
// EXPECT-PARTY device-access at COPY
// EXPECT-PARTY map at MAP
// EXPECT-FACT size_bytes=4096
// EXPECT-FACT sync_hazard=SYNC-HAZARD-READ-AFTER-WRITE
// EXPECT-TEXT nothing has been flushed
#include "common/vulkan_host.h"

int main() {
  OpenWithNonCoherentMemory();
  const Buffer staging = MakeNonCoherent(4096), target = MakeBuffer(4096);
  void* data;
  // @MAP
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 7, 4096);
#ifndef DEFECT
  const VkMappedMemoryRange range = MappedRange(staging);
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
#endif
  vkUnmapMemory(device, staging.memory);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  // @COPY
  vkCmdCopyBuffer(commands, staging.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(staging, target);
}
