// Defect: Memory that stays mapped is written while the copy from it is pending. No call shows the
// write.
// Fix: Memory that stays mapped is written when the copy from it is complete.
// OPTION --protect-maps
// EXPECT error host-race host-write at WRITE
// EXPECT-PARTY device-access at COPY
// EXPECT-PARTY map at MAP
// EXPECT-FACT memory_offset=5000
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-READ
#include "common/vulkan_host.h"

int main() {
  Wanted wanted;
  wanted.test_device = true;
  Open(wanted);
  const Buffer staging = MakeBuffer(65536, kCopies, kHostMemory), target = MakeBuffer(65536);
  const VkBufferCopy all = {0, 0, 65536};
  const VkFence fence = MakeFence();
  void* data;
  // @MAP
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 7, 65536);
  Begin();
  // @COPY
  vkCmdCopyBuffer(commands, staging.handle, target.handle, 1, &all);
  Submit(fence);
#ifndef DEFECT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
#endif
  // @WRITE
  static_cast<volatile char*>(data)[5000] = 8;
  CHECK(static_cast<char*>(data)[5000] == 8);
#ifdef DEFECT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
#endif
  Close(fence, staging, target);
}
