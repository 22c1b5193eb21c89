// Memory stays mapped, and the host learns by events and counters when it may use the memory.
// OPTION --protect-maps
#include "common/vulkan_host.h"
#include "common/vulkan_timeline.h"

// Work waits for an event. The host writes what the work reads, flushes, sets the event and submits
// the work. Later it learns by an event of the device that the bytes are its own again.
static void HostSetsAnEvent() {
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

// Downloads into memory that stays mapped; the host learns of each by the counter of a timeline,
// waits late and for the last value alone, and invalidates all of the mapping while a later
// download is pending.
static void ReadbackByCounter() {
  Wanted wanted;
  wanted.test_device = true;
  OpenWithTimelines(wanted);
  constexpr VkDeviceSize kSlot = 8192;
  constexpr uint64_t kSlots = 4;
  const Buffer ring = MakeNonCoherent(kSlots * kSlot);
  const VkMappedMemoryRange range = MappedRange(ring);
  const unsigned char* data = Map(ring);
  const VkSemaphore semaphore = MakeTimeline();
  VkCommandBuffer buffers[kSlots];
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = kSlots;
  OK(vkAllocateCommandBuffers(device, &allocate, buffers));
  for (uint64_t i = 0; i < kSlots; ++i) {
    commands = buffers[i];
    Begin();
    const uint32_t value = 0x01010101u * static_cast<uint32_t>(i + 1);
    vkCmdFillBuffer(commands, ring.handle, i * kSlot, kSlot, value);
    CmdHostBarrier();
    OK(vkEndCommandBuffer(commands));
    const uint64_t signal = i + 1;
    VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    values.signalSemaphoreValueCount = 1;
    values.pSignalSemaphoreValues = &signal;
    VkSubmitInfo info = SubmitInfo();
    info.pNext = &values;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &semaphore;
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    if (i == 2) {
      uint64_t reached = 0;
      while (reached < 2) OK(vkGetSemaphoreCounterValue(device, semaphore, &reached));
      OK(vkInvalidateMappedMemoryRanges(device, 1, &range));
      CHECK(data[0] == 1 && data[kSlot] == 2);
    }
  }
  const uint64_t last = kSlots;
  VkSemaphoreWaitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  wait.semaphoreCount = 1;
  wait.pSemaphores = &semaphore;
  wait.pValues = &last;
  OK(vkWaitSemaphores(device, &wait, UINT64_MAX));
  OK(vkInvalidateMappedMemoryRanges(device, 1, &range));
  CHECK(data[2 * kSlot] == 3 && data[3 * kSlot] == 4);
  Close(semaphore, ring);
}

int main() {
  HostSetsAnEvent();
  ReadbackByCounter();
}
