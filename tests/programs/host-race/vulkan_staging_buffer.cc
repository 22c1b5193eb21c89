// Defect: The host maps and uses memory while work that uses it is pending.
// Fix: The host waits for the fence first.
#include "common/vulkan_host.h"

// Defect: The result is mapped and read while the work that writes it is pending.
// Fix: The result is mapped and read when the work that writes it is complete.
// EXPECT warning host-race vkUnmapMemory at UNMAP
// EXPECT-PARTY device-access at COPY
// EXPECT-PARTY map at MAP
// EXPECT-FACT sync_hazard=SYNC-HAZARD-READ-AFTER-WRITE
static void ReadBeforeTheFence() {
  const Buffer readback = MakeStaging(4096, 0);
  const VkFence fence = MakeFence();
  void* data;
  unsigned char first;
  Begin();
  // @COPY
  vkCmdFillBuffer(commands, readback.handle, 0, VK_WHOLE_SIZE, 0x07070707);
  CmdHostBarrier();
  Submit(fence);
#ifndef DEFECT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
#endif
  // @MAP
  OK(vkMapMemory(device, readback.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memcpy(&first, data, 1);
  // @UNMAP
  vkUnmapMemory(device, readback.memory);
#ifdef DEFECT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
#endif
  Destroy(fence, readback);
}

// Defect: The staging buffer is filled for the next upload while the copy from it is pending.
// Fix: The staging buffer is filled for the next upload when the copy from it is complete.
// EXPECT error host-race vkUnmapMemory at UNMAP_2
// EXPECT-PARTY device-access at COPY_2
// EXPECT-PARTY map at MAP_2
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-READ
static void StagingWrittenAgain() {
  const Buffer staging = MakeStaging(4096), target = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  const VkFence fence = MakeFence();
  Begin();
  // @COPY_2
  vkCmdCopyBuffer(commands, staging.handle, target.handle, 1, &all);
  Submit(fence);
#ifndef DEFECT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
#endif
  void* data;
  // @MAP_2
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 8, 4096);
  // @UNMAP_2
  vkUnmapMemory(device, staging.memory);
#ifdef DEFECT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
#endif
  Destroy(fence, staging, target);
}

int main() {
  Open();
  ReadBeforeTheFence();
  StagingWrittenAgain();
  Close();
}
