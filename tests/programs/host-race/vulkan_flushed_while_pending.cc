// Defect: Memory that stays mapped is written and flushed while the copy from it is pending.
// Fix: Memory that stays mapped is written and flushed when the copy from it is complete.
// EXPECT error host-race vkFlushMappedMemoryRanges at FLUSH
// EXPECT-PARTY device-access at COPY
// EXPECT-FACT size_bytes=128
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-READ
#include "common/vulkan_host.h"

int main() {
  OpenWithNonCoherentMemory();
  const Buffer staging = MakeNonCoherent(4096), target = MakeBuffer(4096);
  const VkMappedMemoryRange range = MappedRange(staging);
  const VkBufferCopy all = {0, 0, 4096};
  const VkFence fence = MakeFence();
  void* data;
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 7, 4096);
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  Begin();
  // @COPY
  vkCmdCopyBuffer(commands, staging.handle, target.handle, 1, &all);
  Submit(fence);
#ifndef DEFECT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
#endif
  memset(data, 8, 128);
  // @FLUSH
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
#ifdef DEFECT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
#endif
  Close(fence, staging, target);
}
