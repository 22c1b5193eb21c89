// Downloads into memory that stays mapped; the host learns of each by the counter of a timeline,
// waits late and for the last value alone, and invalidates all of the mapping while a later
// download is pending.
// OPTION --protect-maps
#include "common/vulkan_host.h"
#include "common/vulkan_timeline.h"

int main() {
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
