// Defect: Events of synchronization2 are waited for before they are set, by calls of another
// version, or with another dependency.
// Fix: The same dependency sets the event and waits for it.
#include "common/vulkan_events.h"

// Defect: The program submits a wait for an event of the host and does not set the event before.
// Fix: The host sets the event before the submission.
// EXPECT error sync-object-misuse vkCmdWaitEvents2 at WAIT
// EXPECT-FACT vuid=VUID-vkCmdWaitEvents2-pEvents-03840
// EXPECT error sync-object-misuse vkSetEvent at SET
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
  // @WAIT
  vkCmdWaitEvents2(commands, 1, &event, &dependency);
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
  Destroy(event, chain);
}

// Defect: Sets an event by vkCmdSetEvent2 in one submission, and waits for it by vkCmdWaitEvents in
// the next.
// Fix: Waits by vkCmdWaitEvents2, with the same dependency.
// EXPECT error sync-object-misuse vkCmdWaitEvents at WAIT_2
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
  // @WAIT_2
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
  OpenForDependencies();
  EventNotSetByTheHost();
  EventOfTwoVersions();
  EventWithAnotherDependency();
  Close();
}
