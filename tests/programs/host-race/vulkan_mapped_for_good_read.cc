// Defect: Memory that stays mapped is read while the work that writes it is pending.
// Fix: Memory that stays mapped is read when the work that writes it is complete.
// OPTION --protect-maps
// EXPECT error host-race host-read at READ
// EXPECT-PARTY device-access at COPY
// EXPECT-PARTY map at MAP
// EXPECT-FACT sync_hazard=SYNC-HAZARD-READ-AFTER-WRITE
#include "common/vulkan_host.h"

int main() {
  Wanted wanted;
  wanted.test_device = true;
  Open(wanted);
  const Buffer readback = MakeBuffer(65536, kCopies, kHostMemory);
  const VkFence fence = MakeFence();
  void* data;
  // @MAP
  OK(vkMapMemory(device, readback.memory, 0, VK_WHOLE_SIZE, 0, &data));
  Begin();
  // @COPY
  vkCmdFillBuffer(commands, readback.handle, 0, VK_WHOLE_SIZE, 0x07070707);
  CmdHostBarrier();
  Submit(fence);
#ifndef DEFECT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
#endif
  // @READ
  const char value = static_cast<volatile char*>(data)[5000];
#ifdef DEFECT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
#endif
  Close(fence, readback);
  return value == 7 || value == 0 ? 0 : 1;
}
