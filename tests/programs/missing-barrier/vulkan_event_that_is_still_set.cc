// Defect: An event orders two pairs of copies, and is not reset between them. The second command
// that sets it has no effect, so that the second wait does not wait for the copy before it.
// Fix: The event is reset behind the first wait.
// EXPECT error missing-barrier vkCmdCopyBuffer at READ
// EXPECT-PARTY earlier-access at WRITE
#include "common/vulkan_events.h"

int main() {
  Open();
  const Chain chain = MakeChain();
  const VkEvent event = MakeEvent();
  const VkBufferCopy all = {0, 0, 4096};
  const VkMemoryBarrier barrier = CopyBarrier();
  constexpr VkPipelineStageFlags kCopy = VK_PIPELINE_STAGE_TRANSFER_BIT;
  Begin();
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  vkCmdSetEvent(commands, event, kCopy);
  vkCmdWaitEvents(commands, 1, &event, kCopy, kCopy, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(commands, chain.second.handle, chain.third.handle, 1, &all);
  VkMemoryBarrier again = barrier;
  again.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  vkCmdPipelineBarrier(commands, kCopy, kCopy, 0, 1, &again, 0, nullptr, 0, nullptr);
#ifndef DEFECT
  vkCmdResetEvent(commands, event, kCopy);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 0, nullptr);
#endif
  // @WRITE
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  vkCmdSetEvent(commands, event, kCopy);
  vkCmdWaitEvents(commands, 1, &event, kCopy, kCopy, 1, &barrier, 0, nullptr, 0, nullptr);
  // @READ
  vkCmdCopyBuffer(commands, chain.second.handle, chain.third.handle, 1, &all);
  Run();
  Close(event, chain);
}
