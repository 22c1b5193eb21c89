// Defect: Resets an event right behind the wait for it: the reset may run before the wait.
// Fix: A barrier from the stages of the wait to the stage of the reset stands in between.
// EXPECT error sync-object-misuse vkCmdResetEvent at RESET
// EXPECT-FACT vuid=VUID-vkCmdResetEvent-event-03834
// EXPECT-PARTY earlier-command at WAIT
// EXPECT-COUNT any
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
  // @WAIT
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
  Close(event, chain);
}
