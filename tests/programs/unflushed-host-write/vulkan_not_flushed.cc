// Defect: The host writes mapped memory that is not coherent, and does not flush all of it.
// Fix: All that the host wrote is flushed before the submission.
#include "common/vulkan_host.h"

// Defect: Data is written to memory that is not coherent and uploaded without a flush.
// Fix: The data is flushed before the upload.
// EXPECT error unflushed-host-write vkQueueSubmit at SUBMIT
// EXPECT-PARTY device-access at COPY
// EXPECT-PARTY map at MAP
// EXPECT-FACT size_bytes=4096
// EXPECT-FACT sync_hazard=SYNC-HAZARD-READ-AFTER-WRITE
// EXPECT-TEXT nothing has been flushed
static void Upload() {
  const Buffer staging = MakeNonCoherent(4096), target = MakeBuffer(4096);
  void* data;
  // @MAP
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 7, 4096);
#ifndef DEFECT
  const VkMappedMemoryRange range = MappedRange(staging);
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
#endif
  vkUnmapMemory(device, staging.memory);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  // @COPY
  vkCmdCopyBuffer(commands, staging.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Destroy(staging, target);
}

// Defect: Memory stays mapped and is written for every frame, but flushed only for the first one.
// Fix: Memory stays mapped and is written and flushed for every frame.
// EXPECT error unflushed-host-write vkQueueSubmit at SUBMIT_2
// EXPECT-PARTY map at MAP_2
// EXPECT-FACT memory_offset=1024
// EXPECT-FACT size_bytes=128
// EXPECT-TEXT which the host has changed and not flushed
static void SecondFrame() {
  const Buffer staging = MakeNonCoherent(4096), target = MakeBuffer(4096);
  void* data;
  // @MAP_2
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, staging.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  const VkMappedMemoryRange range = MappedRange(staging);
  for (int frame = 0; frame < 3; ++frame) {
    memset(static_cast<char*>(data) + 1024, frame, 100);
#ifdef DEFECT
    if (frame == 0) OK(vkFlushMappedMemoryRanges(device, 1, &range));
#else
    OK(vkFlushMappedMemoryRanges(device, 1, &range));
#endif
    // @SUBMIT_2
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    OK(vkQueueWaitIdle(queue));
  }
  Destroy(staging, target);
}

// Defect: What was flushed once is changed in a second mapping, which ends without a flush. An
// unmap does not flush.
// Fix: The change is flushed before the unmap.
// EXPECT error unflushed-host-write vkQueueSubmit at SUBMIT_3
// EXPECT-FACT memory_offset=0
// EXPECT-FACT size_bytes=64
static void Unmapped() {
  const Buffer staging = MakeNonCoherent(4096), target = MakeBuffer(4096);
  const VkMappedMemoryRange range = MappedRange(staging);
  void* data;
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 7, 4096);
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  vkUnmapMemory(device, staging.memory);
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 8, 64);
#ifndef DEFECT
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
#endif
  vkUnmapMemory(device, staging.memory);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, staging.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT_3
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Destroy(staging, target);
}

// Defect: Each frame writes all of the staging memory, flushes its first half, and copies all of
// the memory.
// Fix: Each frame writes and flushes the first half, and copies all of the memory.
// EXPECT error unflushed-host-write vkQueueSubmit at SUBMIT_4
// EXPECT-PARTY map at MAP_3
// EXPECT-FACT memory_offset=2048
// EXPECT-FACT size_bytes=2048
// EXPECT-COUNT any
static void HalfOfEachFrame() {
  const Buffer staging = MakeNonCoherent(4096), target = MakeBuffer(4096);
  void* data;
  // @MAP_3
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, staging.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  const VkMappedMemoryRange range = MappedRange(staging, 0, 2048);
  for (int frame = 0; frame < 3; ++frame) {
#ifdef DEFECT
    memset(data, frame + 1, 4096);
#else
    memset(data, frame + 1, 2048);
#endif
    OK(vkFlushMappedMemoryRanges(device, 1, &range));
    // @SUBMIT_4
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    OK(vkQueueWaitIdle(queue));
  }
  Destroy(staging, target);
}

int main() {
  OpenWithNonCoherentMemory();
  Upload();
  SecondFrame();
  Unmapped();
  HalfOfEachFrame();
  Close();
}
