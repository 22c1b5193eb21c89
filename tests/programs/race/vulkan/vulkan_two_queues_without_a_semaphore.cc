// Defect: Two queues use a buffer that they share, and no semaphore stands between them.
// Fix: Two queues use a buffer that they share, one after the other by a semaphore.
// EXPECT error race vkCmdCopyBuffer at SECOND
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=RAW
#include "common/vulkan_second_queue.h"

int main() {
  Wanted wanted;
  wanted.second_family = true;
  Open(wanted);
  const uint32_t families[] = {family, SecondFamily()};
  const SecondQueue other = OpenSecondQueue();

  const Buffer a = MakeStaging(4096), c = MakeBuffer(4096);
  Buffer b;
  VkBufferCreateInfo shared = BufferInfo(4096);
  shared.sharingMode = VK_SHARING_MODE_CONCURRENT;
  shared.queueFamilyIndexCount = 2;
  shared.pQueueFamilyIndices = families;
  OK(vkCreateBuffer(device, &shared, nullptr, &b.handle));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, b.handle, &needs);
  b.memory = Allocate(needs, 0);
  OK(vkBindBufferMemory(device, b.handle, b.memory, 0));
  VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &semaphore));

  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  // @FIRST
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(other.commands, &begin));
  // @SECOND
  vkCmdCopyBuffer(other.commands, b.handle, c.handle, 1, &all);
  OK(vkEndCommandBuffer(other.commands));
  VkSubmitInfo first = SubmitInfo(), second = SubmitInfo();
  second.pCommandBuffers = &other.commands;
#ifndef DEFECT
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  first.signalSemaphoreCount = second.waitSemaphoreCount = 1;
  first.pSignalSemaphores = second.pWaitSemaphores = &semaphore;
  second.pWaitDstStageMask = &stage;
#endif
  OK(vkQueueSubmit(queue, 1, &first, VK_NULL_HANDLE));
  OK(vkQueueSubmit(other.queue, 1, &second, VK_NULL_HANDLE));
  OK(vkDeviceWaitIdle(device));
  Close(semaphore, a, b, c, other.pool);
}
