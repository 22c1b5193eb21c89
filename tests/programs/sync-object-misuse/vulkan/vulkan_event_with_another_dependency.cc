// Defect: The wait for an event has another barrier than the command that sets it.
// Fix: Both are given the same dependency.
// EXPECT error sync-object-misuse vkCmdWaitEvents2 at WAIT
// EXPECT-FACT vuid=VUID-vkCmdWaitEvents2-pEvents-10788
// EXPECT-PARTY earlier-command at SET
#include "common/vulkan_events.h"

int main() {
  OpenForDependencies();
  const Chain chain = MakeChain();
  const VkEvent event = MakeEvent();
  const VkBufferCopy all = {0, 0, 4096};
  VkMemoryBarrier2 barrier = CopyBarrier2();
  const VkDependencyInfo dependency = DependencyOf(&barrier);
  Begin();
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  // @SET
  vkCmdSetEvent2(commands, event, &dependency);
#ifdef DEFECT
  barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
#endif
  // @WAIT
  vkCmdWaitEvents2(commands, 1, &event, &dependency);
  vkCmdCopyBuffer(commands, chain.second.handle, chain.third.handle, 1, &all);
  Run();
  Close(event, chain);
}
