// Work waits for an event. The host writes what the work reads, flushes, sets the event and submits
// the work. Later it learns by an event of the device that the bytes are its own again.
// OPTION --protect-maps
#include "common/vulkan_host.h"

int main() {
  OpenWithNonCoherentMemory();
  const Buffer upload = MakeNonCoherent(16384), target = MakeBuffer(16384);
  const VkMappedMemoryRange range = MappedRange(upload);
  unsigned char* data = Map(upload);
  memset(data, 1, 16384);
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  VkEvent written, read;
  const VkEventCreateInfo info = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  OK(vkCreateEvent(device, &info, nullptr, &written));
  OK(vkCreateEvent(device, &info, nullptr, &read));
  Begin();
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_HOST_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  vkCmdWaitEvents(commands, 1, &written, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  1, &barrier, 0, nullptr, 0, nullptr);
  const VkBufferCopy all = {0, 0, 16384};
  vkCmdCopyBuffer(commands, upload.handle, target.handle, 1, &all);
  vkCmdSetEvent(commands, read, VK_PIPELINE_STAGE_TRANSFER_BIT);
  memset(data, 2, 16384);
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  OK(vkSetEvent(device, written));
  Submit(VK_NULL_HANDLE);
  while (vkGetEventStatus(device, read) != VK_EVENT_SET) continue;
  memset(data, 3, 16384);
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  OK(vkQueueWaitIdle(queue));
  Close(written, read, upload, target);
}
