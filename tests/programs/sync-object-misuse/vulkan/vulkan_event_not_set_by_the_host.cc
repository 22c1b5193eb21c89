// Defect: The program submits a wait for an event of the host and does not set the event before.
// Fix: The host sets the event before the submission.
// EXPECT error sync-object-misuse vkCmdWaitEvents2 at WAIT
// EXPECT-FACT vuid=VUID-vkCmdWaitEvents2-pEvents-03840
// EXPECT error sync-object-misuse vkSetEvent at SET
#include "common/vulkan_events.h"

int main() {
  OpenForDependencies();
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
  Close(event, chain);
}
