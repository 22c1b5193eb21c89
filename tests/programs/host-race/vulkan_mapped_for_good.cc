// Defect: Memory that stays mapped is read or written while work that uses it is pending.
// Fix: The host waits for the work.
// OPTION --protect-maps
#include "common/vulkan_host.h"

// Defect: Memory that stays mapped is read while the work that writes it is pending.
// Fix: Memory that stays mapped is read when the work that writes it is complete.
// EXPECT error host-race host-read at READ
// EXPECT-PARTY device-access at COPY
// EXPECT-PARTY map at MAP
// EXPECT-FACT sync_hazard=SYNC-HAZARD-READ-AFTER-WRITE
static void Read() {
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
  CHECK(value == 7 || value == 0);
  Close(fence, readback);
}

// Defect: Memory that stays mapped is written while the copy from it is pending. No call shows the
// write.
// Fix: Memory that stays mapped is written when the copy from it is complete.
// EXPECT error host-race host-write at WRITE
// EXPECT-PARTY device-access at COPY_2
// EXPECT-PARTY map at MAP_2
// EXPECT-FACT memory_offset=5000
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-READ
static void Written() {
  Wanted wanted;
  wanted.test_device = true;
  Open(wanted);
  const Buffer staging = MakeBuffer(65536, kCopies, kHostMemory), target = MakeBuffer(65536);
  const VkBufferCopy all = {0, 0, 65536};
  const VkFence fence = MakeFence();
  void* data;
  // @MAP_2
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 7, 65536);
  Begin();
  // @COPY_2
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

int main() {
  Read();
  Written();
}
