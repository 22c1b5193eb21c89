// Defect: The host resets an event while submitted work may still wait for it.
// Fix: The host waits for the submission first.
// EXPECT error sync-object-misuse vkResetEvent at RESET
// EXPECT-FACT vuid=VUID-vkResetEvent-event-03821
#include "common/vulkan_events.h"

int main() {
  Open();
  const Chain chain = MakeChain();
  const VkEvent event = MakeEvent();
  const VkBufferCopy all = {0, 0, 4096};
  const VkMemoryBarrier barrier = CopyBarrier();
  Begin();
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
  vkCmdWaitEvents(commands, 1, &event, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  VK_PIPELINE_STAGE_TRANSFER_BIT, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(commands, chain.second.handle, chain.third.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT
  OK(vkQueueWaitIdle(queue));
#endif
  // @RESET
  OK(vkResetEvent(device, event));
#ifdef DEFECT
  OK(vkSetEvent(device, event));
#endif
  OK(vkQueueWaitIdle(queue));
  Close(event, chain);
}
