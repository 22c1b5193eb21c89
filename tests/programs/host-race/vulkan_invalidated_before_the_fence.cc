// Defect: Memory that pending work writes is invalidated before the wait instead of after it, which
// has no effect.
// Fix: The memory is invalidated after the wait.
// EXPECT warning host-race vkInvalidateMappedMemoryRanges at INVALIDATE
// EXPECT-PARTY device-access at COPY
// EXPECT-FACT sync_hazard=SYNC-HAZARD-READ-AFTER-WRITE
#include "common/vulkan_host.h"

int main() {
  OpenWithNonCoherentMemory();
  const Buffer source = MakeStaging(4096), readback = MakeNonCoherent(4096);
  const VkMappedMemoryRange range = MappedRange(readback);
  const VkBufferCopy all = {0, 0, 4096};
  const VkFence fence = MakeFence();
  void* data;
  OK(vkMapMemory(device, readback.memory, 0, VK_WHOLE_SIZE, 0, &data));
  Begin();
  // @COPY
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
  Close(fence, source, readback);
}
