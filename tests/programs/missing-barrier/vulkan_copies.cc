// Defect: Another copy or the host reads what a copy writes, and no barrier is for its access.
// Fix: A barrier makes what the copy writes visible to the reader.
#include "common/vulkan.h"
#include "common/vulkan_host.h"

// Defect: The second copy reads what the first one writes; nothing orders two commands of a queue
// but a barrier.
// Fix: A barrier makes what the first copy writes visible to the second one.
// EXPECT error missing-barrier vkCmdCopyBuffer at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=RAW
// EXPECT-FACT sync_hazard=SYNC-HAZARD-READ-AFTER-WRITE
// EXPECT-TEXT srcStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT
static void CopyOfACopy() {
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096), c = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  // @FIRST
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
#ifndef DEFECT
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &barrier, 0, nullptr, 0, nullptr);
#endif
  // @SECOND
  vkCmdCopyBuffer(commands, b.handle, c.handle, 1, &all);
  Run();
  Destroy(a, b, c);
}

// Defect: A barrier stands between two copies, and waits for the wrong stage.
// Fix: A barrier stands between two copies, and waits for the copy.
// EXPECT error missing-barrier vkCmdCopyBuffer at SECOND_2
// EXPECT-PARTY earlier-access at FIRST_2
// EXPECT-PARTY nearest-barrier at BARRIER_2
// EXPECT-FACT sync_hazard=SYNC-HAZARD-READ-AFTER-WRITE
static void WrongStages() {
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096), c = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  // @FIRST_2
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
#ifdef DEFECT
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  // @BARRIER_2
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
#else
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &barrier, 0, nullptr, 0, nullptr);
#endif
  // @SECOND_2
  vkCmdCopyBuffer(commands, b.handle, c.handle, 1, &all);
  Run();
  Destroy(a, b, c);
}

// Defect: A download is mapped and read after the fence, and nothing makes the device writes
// visible to the host. Current drivers do not need that.
// Fix: A barrier makes the device writes visible to the host.
// EXPECT warning missing-barrier vkUnmapMemory at UNMAP
// EXPECT-PARTY device-access at COPY
// EXPECT-PARTY map at MAP
// EXPECT-FACT sync_hazard=SYNC-HAZARD-READ-AFTER-WRITE
// EXPECT-TEXT VK_PIPELINE_STAGE_HOST_BIT
static void HostReadsBehindTheFence() {
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
  Destroy(fence, source, readback);
}

int main() {
  Open();
  CopyOfACopy();
  WrongStages();
  HostReadsBehindTheFence();
  Close();
}
