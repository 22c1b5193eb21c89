// Defect: Memory that stays mapped is read after the fence, but nothing makes what the device wrote
// visible to the host.
// Fix: Memory that stays mapped is read after the fence and after a barrier for the host.
// OPTION --protect-maps
// EXPECT warning missing-barrier host-read at READ
// EXPECT-PARTY device-access at COPY
// EXPECT-PARTY map at MAP
// EXPECT-TEXT VK_PIPELINE_STAGE_HOST_BIT
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
#ifndef DEFECT
  CmdHostBarrier();
#endif
  Submit(fence);
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  // @READ
  const char value = static_cast<volatile char*>(data)[5000];
  Close(fence, readback);
  return value == 7 || value == 0 ? 0 : 1;
}
