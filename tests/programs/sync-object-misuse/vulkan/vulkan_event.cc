// Defect: Events are set, reset and waited for at the wrong time, with other stages or
// dependencies, or by calls of another version.
// Fix: The wait follows the signal, and both name the same stages and dependencies.
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

// Defect: The program submits a wait for an event of the host and does not set the event before.
// Fix: The host sets the event before the submission.
// EXPECT error sync-object-misuse vkCmdWaitEvents2 at WAIT_4
// EXPECT-FACT vuid=VUID-vkCmdWaitEvents2-pEvents-03840
// EXPECT error sync-object-misuse vkSetEvent at SET_4
static void EventNotSetByTheHost() {
  const Chain chain = MakeChain();
  const VkEvent event = MakeEvent();
  const VkBufferCopy all = {0, 0, 4096};
  VkMemoryBarrier2 barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  barrier.srcStageMask = VK_PIPELINE_STAGE_2_HOST_BIT;
  barrier.dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
  VkDependencyInfo dependency = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &barrier;
  Begin();
  // @WAIT_4
  vkCmdWaitEvents2(commands, 1, &event, &dependency);
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
#ifndef DEFECT
  OK(vkSetEvent(device, event));
#endif
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifdef DEFECT
  // @SET_4
  OK(vkSetEvent(device, event));
#endif
  OK(vkQueueWaitIdle(queue));
  Destroy(event, chain);
}

// Defect: Sets an event by vkCmdSetEvent2 in one submission, and waits for it by vkCmdWaitEvents in
// the next.
// Fix: Waits by vkCmdWaitEvents2, with the same dependency.
// EXPECT error sync-object-misuse vkCmdWaitEvents at WAIT_5
// EXPECT-FACT vuid=VUID-vkCmdWaitEvents-pEvents-03847
// EXPECT-PARTY earlier-command at SET_2
static void EventOfTwoVersions() {
  const Chain chain = MakeChain();
  const VkEvent event = MakeEvent();
  const VkBufferCopy all = {0, 0, 4096};
  const VkMemoryBarrier2 barrier = CopyBarrier2();
  const VkDependencyInfo dependency = DependencyOf(&barrier);
  Begin();
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  // @SET_2
  vkCmdSetEvent2(commands, event, &dependency);
  Run();
  Begin();
#ifdef DEFECT
  const VkMemoryBarrier old = CopyBarrier();
  // @WAIT_5
  vkCmdWaitEvents(commands, 1, &event, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  VK_PIPELINE_STAGE_TRANSFER_BIT, 1, &old, 0, nullptr, 0, nullptr);
#else
  vkCmdWaitEvents2(commands, 1, &event, &dependency);
#endif
  vkCmdCopyBuffer(commands, chain.second.handle, chain.third.handle, 1, &all);
  Run();
  Destroy(event, chain);
}

// Defect: The wait for an event has another barrier than the command that sets it.
// Fix: Both are given the same dependency.
// EXPECT error sync-object-misuse vkCmdWaitEvents2 at WAIT_3
// EXPECT-FACT vuid=VUID-vkCmdWaitEvents2-pEvents-10788
// EXPECT-PARTY earlier-command at SET_3
static void EventWithAnotherDependency() {
  const Chain chain = MakeChain();
  const VkEvent event = MakeEvent();
  const VkBufferCopy all = {0, 0, 4096};
  VkMemoryBarrier2 barrier = CopyBarrier2();
  const VkDependencyInfo dependency = DependencyOf(&barrier);
  Begin();
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  // @SET_3
  vkCmdSetEvent2(commands, event, &dependency);
#ifdef DEFECT
  barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
#endif
  // @WAIT_3
  vkCmdWaitEvents2(commands, 1, &event, &dependency);
  vkCmdCopyBuffer(commands, chain.second.handle, chain.third.handle, 1, &all);
  Run();
  Destroy(event, chain);
}

int main() {
  Open();
  EventWaitedAtOtherStages();
  EventResetRightBehindItsWait();
  EventResetOnTheHost();
  Close();
  OpenForDependencies();
  EventNotSetByTheHost();
  EventOfTwoVersions();
  EventWithAnotherDependency();
  Close();
}
