// Defect: Mapped memory is flushed or invalidated while work that uses it is pending.
// Fix: The host waits for the fence first.
#include "common/vulkan_host.h"

// Defect: Memory that stays mapped is written and flushed while the copy from it is pending.
// Fix: Memory that stays mapped is written and flushed when the copy from it is complete.
// EXPECT error host-race vkFlushMappedMemoryRanges at FLUSH
// EXPECT-PARTY device-access at COPY
// EXPECT-FACT size_bytes=128
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-READ
static void FlushedWhilePending() {
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
  Destroy(fence, staging, target);
}

// Defect: Memory that pending work writes is invalidated before the wait instead of after it, which
// has no effect.
// Fix: The memory is invalidated after the wait.
// EXPECT warning host-race vkInvalidateMappedMemoryRanges at INVALIDATE
// EXPECT-PARTY device-access at COPY_2
// EXPECT-FACT sync_hazard=SYNC-HAZARD-READ-AFTER-WRITE
static void InvalidatedBeforeTheFence() {
  const Buffer source = MakeStaging(4096), readback = MakeNonCoherent(4096);
  const VkMappedMemoryRange range = MappedRange(readback);
  const VkBufferCopy all = {0, 0, 4096};
  const VkFence fence = MakeFence();
  void* data;
  OK(vkMapMemory(device, readback.memory, 0, VK_WHOLE_SIZE, 0, &data));
  Begin();
  // @COPY_2
  vkCmdCopyBuffer(commands, source.handle, readback.handle, 1, &all);
  CmdHostBarrier();
  Submit(fence);
#ifdef DEFECT
  // @INVALIDATE
  OK(vkInvalidateMappedMemoryRanges(device, 1, &range));
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
#else
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  OK(vkInvalidateMappedMemoryRanges(device, 1, &range));
  CHECK(static_cast<unsigned char*>(data)[4095] == 7);
#endif
  vkUnmapMemory(device, readback.memory);
  Destroy(fence, source, readback);
}

int main() {
  OpenWithNonCoherentMemory();
  FlushedWhilePending();
  InvalidatedBeforeTheFence();
  Close();
}
