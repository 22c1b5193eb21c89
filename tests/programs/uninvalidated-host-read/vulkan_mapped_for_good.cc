// Defect: Memory that stays mapped and is not coherent is read after the fence without an
// invalidation.
// Fix: Memory that stays mapped and is not coherent is invalidated after the fence, then read.
// OPTION --protect-maps
// EXPECT error uninvalidated-host-read host-read at READ
// EXPECT-PARTY device-access at COPY
// EXPECT-PARTY map at MAP
#include "common/vulkan_host.h"

int main() {
  OpenWithNonCoherentMemory();
  const Buffer readback = MakeNonCoherent(65536);
  const VkFence fence = MakeFence();
  void* data;
  // @MAP
  OK(vkMapMemory(device, readback.memory, 0, VK_WHOLE_SIZE, 0, &data));
  Begin();
  // @COPY
  vkCmdFillBuffer(commands, readback.handle, 0, VK_WHOLE_SIZE, 0x07070707);
  CmdHostBarrier();
  Submit(fence);
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
#ifndef DEFECT
  const VkMappedMemoryRange range = MappedRange(readback);
  OK(vkInvalidateMappedMemoryRanges(device, 1, &range));
#endif
  // @READ
  const char value = static_cast<volatile char*>(data)[5000];
  Close(fence, readback);
  return value == 7 || value == 0 ? 0 : 1;
}
