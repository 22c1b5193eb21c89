// Defect: Sets an event by vkCmdSetEvent2 in one submission, and waits for it by vkCmdWaitEvents in
// the next.
// Fix: Waits by vkCmdWaitEvents2, with the same dependency.
// EXPECT error sync-object-misuse vkCmdWaitEvents at WAIT
// EXPECT-FACT vuid=VUID-vkCmdWaitEvents-pEvents-03847
// EXPECT-PARTY earlier-command at SET
#include "common/vulkan_events.h"

int main() {
  OpenForDependencies();
  const Chain chain = MakeChain();
  const VkEvent event = MakeEvent();
  const VkBufferCopy all = {0, 0, 4096};
  const VkMemoryBarrier2 barrier = CopyBarrier2();
  const VkDependencyInfo dependency = DependencyOf(&barrier);
  Begin();
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  // @SET
  vkCmdSetEvent2(commands, event, &dependency);
  Run();
  Begin();
#ifdef DEFECT
  const VkMemoryBarrier old = CopyBarrier();
  // @WAIT
  vkCmdWaitEvents(commands, 1, &event, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  VK_PIPELINE_STAGE_TRANSFER_BIT, 1, &old, 0, nullptr, 0, nullptr);
#else
  vkCmdWaitEvents2(commands, 1, &event, &dependency);
#endif
  vkCmdCopyBuffer(commands, chain.second.handle, chain.third.handle, 1, &all);
  Run();
  Close(event, chain);
}
