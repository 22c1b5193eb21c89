// Events that look misused: one is set twice, one is set by the host before it is waited for with
// an event of a command, one is waited for twice and reset behind a barrier, and one is set in one
// submission and reset in the next.
#include "common/vulkan_events.h"

int main() {
  Open();
  const Chain chain = MakeChain();
  const VkEvent by_command = MakeEvent(), by_host = MakeEvent(), again = MakeEvent();
  const VkEvent both[] = {by_command, by_host};
  const VkBufferCopy all = {0, 0, 4096};
  VkMemoryBarrier barrier = CopyBarrier();
  constexpr VkPipelineStageFlags kCopy = VK_PIPELINE_STAGE_TRANSFER_BIT;
  OK(vkSetEvent(device, by_host));
  Begin();
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  vkCmdSetEvent(commands, by_command, kCopy);
  vkCmdSetEvent(commands, by_command, kCopy);
  vkCmdWaitEvents(commands, 2, both, kCopy | VK_PIPELINE_STAGE_HOST_BIT, kCopy, 1, &barrier, 0,
                  nullptr, 0, nullptr);
  vkCmdWaitEvents(commands, 1, &by_command, kCopy, kCopy, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(commands, chain.second.handle, chain.third.handle, 1, &all);
  vkCmdPipelineBarrier(commands, kCopy, kCopy, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdResetEvent(commands, by_command, kCopy);
  vkCmdSetEvent(commands, again, kCopy);
  Run();
  OK(vkResetEvent(device, by_host));
  Begin();
  vkCmdWaitEvents(commands, 1, &again, kCopy, kCopy, 1, &barrier, 0, nullptr, 0, nullptr);
  Run();
  Begin();
  vkCmdResetEvent(commands, again, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdSetEvent(commands, again, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  vkCmdWaitEvents(commands, 1, &again, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, kCopy, 0, nullptr, 0,
                  nullptr, 0, nullptr);
  Run();
  for (VkEvent event : {by_command, by_host, again}) vkDestroyEvent(device, event, nullptr);
  Close(chain);
}
