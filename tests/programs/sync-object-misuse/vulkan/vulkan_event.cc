// Defect: Events are set, reset and waited for at the wrong time, or with other stages.
// Fix: The event is set before the wait, reset behind it, and both commands name the same stages.
#include "common/vulkan_events.h"

// Defect: The wait for an event names another source stage than the command that sets the event.
// Fix: Both name the same stage.
// EXPECT error sync-object-misuse vkCmdWaitEvents at WAIT
// EXPECT-FACT vuid=VUID-vkCmdWaitEvents-srcStageMask-01158
// EXPECT-PARTY earlier-command at SET
static void EventWaitedAtOtherStages() {
  const Chain chain = MakeChain();
  const VkEvent event = MakeEvent();
  const VkBufferCopy all = {0, 0, 4096};
  const VkMemoryBarrier barrier = CopyBarrier();
  VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  Begin();
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  // @SET
  vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
#ifdef DEFECT
  stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
#endif
  // @WAIT
  vkCmdWaitEvents(commands, 1, &event, stage, VK_PIPELINE_STAGE_TRANSFER_BIT, 1, &barrier, 0,
                  nullptr, 0, nullptr);
  vkCmdCopyBuffer(commands, chain.second.handle, chain.third.handle, 1, &all);
  Run();
  Destroy(event, chain);
}

// Defect: Resets an event right behind the wait for it: the reset may run before the wait.
// Fix: A barrier from the stages of the wait to the stage of the reset stands in between.
// EXPECT error sync-object-misuse vkCmdResetEvent at RESET
// EXPECT-FACT vuid=VUID-vkCmdResetEvent-event-03834
// EXPECT-PARTY earlier-command at WAIT_2
// EXPECT-COUNT any
static void EventResetRightBehindItsWait() {
  const Chain chain = MakeChain();
  const VkEvent event = MakeEvent();
  const VkBufferCopy all = {0, 0, 4096};
  const VkMemoryBarrier barrier = CopyBarrier();
  Begin();
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
  // @WAIT_2
  vkCmdWaitEvents(commands, 1, &event, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  VK_PIPELINE_STAGE_TRANSFER_BIT, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(commands, chain.second.handle, chain.third.handle, 1, &all);
#ifndef DEFECT
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, nullptr, 0, nullptr, 0, nullptr);
#endif
  // @RESET
  vkCmdResetEvent(commands, event, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  Run();
  Destroy(event, chain);
}

// Defect: The host resets an event while submitted work may still wait for it.
// Fix: The host waits for the submission first.
// EXPECT error sync-object-misuse vkResetEvent at RESET_2
// EXPECT-FACT vuid=VUID-vkResetEvent-event-03821
static void EventResetOnTheHost() {
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
  // @RESET_2
  OK(vkResetEvent(device, event));
#ifdef DEFECT
  OK(vkSetEvent(device, event));
#endif
  OK(vkQueueWaitIdle(queue));
  Destroy(event, chain);
}

int main() {
  Open();
  EventWaitedAtOtherStages();
  EventResetRightBehindItsWait();
  EventResetOnTheHost();
  Close();
}
