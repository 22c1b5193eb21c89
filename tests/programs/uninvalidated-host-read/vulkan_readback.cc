// Defect: What the device wrote to memory that is not coherent is read after the fence without an
// invalidation: the host has the old data.
// Fix: The memory is invalidated after the fence, then read.
// EXPECT warning uninvalidated-host-read vkUnmapMemory at UNMAP
// EXPECT-PARTY device-access at COPY
// EXPECT-PARTY map at MAP
// EXPECT-FACT size_bytes=4096
#include "common/vulkan_host.h"

int main() {
  OpenWithNonCoherentMemory();
  const Buffer source = MakeStaging(4096), readback = MakeNonCoherent(4096);
  const VkBufferCopy all = {0, 0, 4096};
  const VkFence fence = MakeFence();
  Begin();
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, readback.handle, 1, &all);
  CmdHostBarrier();
  Submit(fence);
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  void* data;
  // @MAP
  OK(vkMapMemory(device, readback.memory, 0, VK_WHOLE_SIZE, 0, &data));
#ifdef DEFECT
  CHECK(static_cast<unsigned char*>(data)[100] != 7);
#else
  const VkMappedMemoryRange range = MappedRange(readback);
  OK(vkInvalidateMappedMemoryRanges(device, 1, &range));
  CHECK(static_cast<unsigned char*>(data)[100] == 7);
#endif
  // @UNMAP
  vkUnmapMemory(device, readback.memory);
  Close(fence, source, readback);
}
