// Defect: The staging buffer is filled for the next upload while the copy from it is pending.
// Fix: The staging buffer is filled for the next upload when the copy from it is complete.
// EXPECT error host-race vkUnmapMemory at UNMAP
// EXPECT-PARTY device-access at COPY
// EXPECT-PARTY map at MAP
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-READ
#include "common/vulkan_host.h"

int main() {
  Open();
  const Buffer staging = MakeStaging(4096), target = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  const VkFence fence = MakeFence();
  Begin();
  // @COPY
  vkCmdCopyBuffer(commands, staging.handle, target.handle, 1, &all);
  Submit(fence);
#ifndef DEFECT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
#endif
  void* data;
  // @MAP
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 8, 4096);
  // @UNMAP
  vkUnmapMemory(device, staging.memory);
#ifdef DEFECT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
#endif
  Close(fence, staging, target);
}
