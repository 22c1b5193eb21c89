// Defect: Memory stays mapped and is written for every frame, but flushed only for the first one.
// Fix: Memory stays mapped and is written and flushed for every frame.
// EXPECT error unflushed-host-write vkQueueSubmit at SUBMIT
// EXPECT-PARTY map at MAP
// EXPECT-FACT memory_offset=1024
// EXPECT-FACT size_bytes=128
// EXPECT-TEXT which the host has changed and not flushed
#include "common/vulkan_host.h"

int main() {
  OpenWithNonCoherentMemory();
  const Buffer staging = MakeNonCoherent(4096), target = MakeBuffer(4096);
  void* data;
  // @MAP
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
    // @SUBMIT
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    OK(vkQueueWaitIdle(queue));
  }
  Close(staging, target);
}
