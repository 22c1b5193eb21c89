// Defect: The host sets an event while submitted work waits for it.
// Fix: The host sets the event before the submission.
// EXPECT error sync-object-misuse vkCmdWaitEvents at WAIT
// EXPECT-FACT vuid=VUID-vkCmdWaitEvents-srcStageMask-01158
// EXPECT error sync-object-misuse vkSetEvent at SET
// EXPECT-PARTY earlier-command at WAIT
// EXPECT-FACT vuid=VUID-vkSetEvent-event-09543
#include "common/vulkan_events.h"

int main() {
  Open();
  const Chain chain = MakeChain();
  const VkEvent event = MakeEvent();
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  // @WAIT
  vkCmdWaitEvents(commands, 1, &event, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  0, nullptr, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
#ifndef DEFECT
  OK(vkSetEvent(device, event));
#endif
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifdef DEFECT
  // @SET
  OK(vkSetEvent(device, event));
#endif
  OK(vkQueueWaitIdle(queue));
  Close(event, chain);
}
