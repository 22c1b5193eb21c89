// Two secondary command buffers, one executed twice, with the barriers between them in the primary
// one and in the second of them.
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096), c = MakeBuffer(4096);
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
  allocate.commandBufferCount = 2;
  VkCommandBuffer secondary[2];
  OK(vkAllocateCommandBuffers(device, &allocate, secondary));
  const VkBufferCopy all = {0, 0, 4096};
  VkCommandBufferInheritanceInfo inheritance = {
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
  begin.pInheritanceInfo = &inheritance;
  OK(vkBeginCommandBuffer(secondary[0], &begin));
  vkCmdCopyBuffer(secondary[0], a.handle, b.handle, 1, &all);
  OK(vkEndCommandBuffer(secondary[0]));
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  OK(vkBeginCommandBuffer(secondary[1], &begin));
  vkCmdPipelineBarrier(secondary[1], VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(secondary[1], b.handle, c.handle, 1, &all);
  OK(vkEndCommandBuffer(secondary[1]));
  Begin();
  vkCmdExecuteCommands(commands, 2, secondary);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdExecuteCommands(commands, 1, &secondary[0]);
  Run();
  Close(a, b, c);
}
