// Defect: The wait for an event names another source stage than the command that sets the event.
// Fix: Both name the same stage.
// EXPECT error sync-object-misuse vkCmdWaitEvents at WAIT
// EXPECT-FACT vuid=VUID-vkCmdWaitEvents-srcStageMask-01158
// EXPECT-PARTY earlier-command at SET
#include "common/vulkan_events.h"

int main() {
  Open();
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
  Close(event, chain);
}
