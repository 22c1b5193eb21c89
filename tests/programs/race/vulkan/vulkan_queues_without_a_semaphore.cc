// Defect: Two queues, of one or of two families, use a buffer, and no semaphore stands between
// them.
// Fix: A semaphore stands between the two submissions.
#include "common/vulkan_second_queue.h"

// Defect: Two queues use a buffer that they share, and no semaphore stands between them.
// Fix: Two queues use a buffer that they share, one after the other by a semaphore.
// EXPECT error race vkCmdCopyBuffer at SECOND
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=RAW
static void TwoQueuesWithoutASemaphore() {
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

// Defect: A queue of another family reads a buffer that the first queue still writes: its ownership
// is not transferred, and no semaphore stands between them. Both are findings.
// Fix: The first queue releases the buffer, the second one waits for its semaphore and acquires it.
// EXPECT error race vkCmdCopyBuffer at SECOND_2
// EXPECT-PARTY pending-command at FIRST_2
// EXPECT-FACT hazard=RAW
// EXPECT error queue-ownership vkQueueSubmit at SUBMIT
static void TwoFamiliesWithoutASemaphore() {
  Wanted wanted;
  wanted.second_family = true;
  Open(wanted);
  const SecondQueue other = OpenSecondQueue();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096), c = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  // @FIRST_2
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
#ifndef DEFECT
  VkBufferMemoryBarrier release = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  release.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  release.srcQueueFamilyIndex = family;
  release.dstQueueFamilyIndex = SecondFamily();
  release.buffer = b.handle;
  release.size = VK_WHOLE_SIZE;
  VkBufferMemoryBarrier acquire = release;
  acquire.srcAccessMask = 0;
  acquire.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 1, &release, 0,
                       nullptr);
#endif
  OK(vkEndCommandBuffer(commands));
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(other.commands, &begin));
#ifndef DEFECT
  vkCmdPipelineBarrier(other.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 1, &acquire, 0, nullptr);
#endif
  // @SECOND_2
  vkCmdCopyBuffer(other.commands, b.handle, c.handle, 1, &all);
  OK(vkEndCommandBuffer(other.commands));
  VkSubmitInfo first = SubmitInfo(), second = SubmitInfo();
  second.pCommandBuffers = &other.commands;
#ifndef DEFECT
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &semaphore));
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  first.signalSemaphoreCount = second.waitSemaphoreCount = 1;
  first.pSignalSemaphores = second.pWaitSemaphores = &semaphore;
  second.pWaitDstStageMask = &stage;
#endif
  OK(vkQueueSubmit(queue, 1, &first, VK_NULL_HANDLE));
  // @SUBMIT
  OK(vkQueueSubmit(other.queue, 1, &second, VK_NULL_HANDLE));
  OK(vkDeviceWaitIdle(device));
#ifndef DEFECT
  vkDestroySemaphore(device, semaphore, nullptr);
#endif
  Close(a, b, c, other.pool);
}

int main() {
  TwoQueuesWithoutASemaphore();
  TwoFamiliesWithoutASemaphore();
}
