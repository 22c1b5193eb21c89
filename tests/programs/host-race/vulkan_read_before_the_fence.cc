// Defect: The result is mapped and read while the work that writes it is pending.
// Fix: The result is mapped and read when the work that writes it is complete.
// EXPECT warning host-race vkUnmapMemory at UNMAP
// EXPECT-PARTY device-access at COPY
// EXPECT-PARTY map at MAP
// EXPECT-FACT sync_hazard=SYNC-HAZARD-READ-AFTER-WRITE
#include "common/vulkan_host.h"

int main() {
  Open();
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
  Close(fence, readback);
}
