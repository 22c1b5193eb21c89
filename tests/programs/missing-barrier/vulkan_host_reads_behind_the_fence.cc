// Defect: A download is mapped and read after the fence, and nothing makes the device writes
// visible to the host. Current drivers do not need that.
// Fix: A barrier makes the device writes visible to the host.
// EXPECT warning missing-barrier vkUnmapMemory at UNMAP
// EXPECT-PARTY device-access at COPY
// EXPECT-PARTY map at MAP
// EXPECT-FACT sync_hazard=SYNC-HAZARD-READ-AFTER-WRITE
// EXPECT-TEXT VK_PIPELINE_STAGE_HOST_BIT
#include "common/vulkan_host.h"

int main() {
  Open();
  const Buffer source = MakeStaging(4096), readback = MakeBuffer(4096, kCopies, kHostMemory);
  const VkBufferCopy all = {0, 0, 4096};
  const VkFence fence = MakeFence();
  Begin();
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, readback.handle, 1, &all);
#ifndef DEFECT
  CmdHostBarrier();
#endif
  Submit(fence);
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  void* data;
  // @MAP
  OK(vkMapMemory(device, readback.memory, 0, VK_WHOLE_SIZE, 0, &data));
  CHECK(static_cast<unsigned char*>(data)[100] == 7);
  // @UNMAP
  vkUnmapMemory(device, readback.memory);
  Close(fence, source, readback);
}
