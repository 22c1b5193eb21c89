// Defect: Two barriers, or a semaphore and a barrier, do not order what they seem to order, because
// their stages do not meet.
// Fix: The second order begins with the stages in which the first one ends.
#include "common/vulkan.h"
#include "common/vulkan_second_queue.h"

// Defect: The second barrier of a command begins with the stage in which the first one ends, as if
// it continued the first one. Barriers of one command are independent.
// Fix: Each barrier is a command of its own.
// EXPECT error missing-barrier vkCmdFillBuffer at FILL
// EXPECT-PARTY earlier-access at COPY
// EXPECT-FACT hazard=WAR
static void BarriersOfOneCommand() {
  VkPhysicalDeviceSynchronization2Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES};
  features.synchronization2 = VK_TRUE;
  Open({.features = &features});
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  VkBufferMemoryBarrier2 barriers[2] = {{VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2},
                                        {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2}};
  for (VkBufferMemoryBarrier2& barrier : barriers) {
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.buffer = a.handle;
    barrier.size = VK_WHOLE_SIZE;
  }
  barriers[0].srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
  barriers[0].dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  barriers[1].srcStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  barriers[1].dstStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT;
  VkDependencyInfo info = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  Begin();
  // @COPY
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
#ifdef DEFECT
  info.bufferMemoryBarrierCount = 2;
  info.pBufferMemoryBarriers = barriers;
  vkCmdPipelineBarrier2(commands, &info);
#else
  info.bufferMemoryBarrierCount = 1;
  for (const VkBufferMemoryBarrier2& barrier : barriers) {
    info.pBufferMemoryBarriers = &barrier;
    vkCmdPipelineBarrier2(commands, &info);
  }
#endif
  // @FILL
  vkCmdFillBuffer(commands, a.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Close(a, b);
}

// Defect: A semaphore is signaled after the clears of a submission, and the next submission waits
// for it before it overwrites what the first one copies.
// Fix: The semaphore is signaled after the copies.
// EXPECT error missing-barrier vkCmdCopyBuffer at COPY_2
// EXPECT-PARTY earlier-access at COPY_2
// EXPECT-FACT hazard=WAW
static void SignalOfOtherStages() {
  VkPhysicalDeviceSynchronization2Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES};
  features.synchronization2 = VK_TRUE;
  Open({.features = &features});
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  // @COPY_2
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &semaphore));
  VkCommandBufferSubmitInfo buffer = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
  buffer.commandBuffer = commands;
  VkSemaphoreSubmitInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
  signal.semaphore = semaphore;
#ifdef DEFECT
  signal.stageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT;
#else
  signal.stageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
#endif
  VkSemaphoreSubmitInfo wait = signal;
  wait.stageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
  VkSubmitInfo2 submits[2] = {{VK_STRUCTURE_TYPE_SUBMIT_INFO_2}, {VK_STRUCTURE_TYPE_SUBMIT_INFO_2}};
  for (VkSubmitInfo2& submit : submits) {
    submit.commandBufferInfoCount = 1;
    submit.pCommandBufferInfos = &buffer;
  }
  submits[0].signalSemaphoreInfoCount = 1;
  submits[0].pSignalSemaphoreInfos = &signal;
  submits[1].waitSemaphoreInfoCount = 1;
  submits[1].pWaitSemaphoreInfos = &wait;
  OK(vkQueueSubmit2(queue, 2, submits, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(semaphore, a, b);
}

// Defect: One queue family uploads an image and releases it. The other family waits for the
// semaphore at the transfer stage, but its acquisition names the compute stage: nothing orders the
// acquisition after the wait.
// Fix: The acquisition names the stage at which its submission waits.
// EXPECT error missing-barrier vkCmdPipelineBarrier at ACQUIRE
// EXPECT-TEXT include the stages at which its submission waits for the semaphore in srcStageMask of this vkCmdPipelineBarrier
static void AcquiredBesideTheWait() {
  if (LacksTestDevice()) return;
  const ReleasedImage made = UploadAndRelease();
  const VkImageMemoryBarrier acquire =
      ToSecondFamily(made.image.handle, 0, VK_ACCESS_TRANSFER_READ_BIT);
  VkPipelineStageFlags first = VK_PIPELINE_STAGE_TRANSFER_BIT;
#ifdef DEFECT
  first = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
#endif
  // @ACQUIRE
  vkCmdPipelineBarrier(made.other.commands, first, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0,
                       nullptr, 1, &acquire);
  vkCmdCopyImageToBuffer(made.other.commands, made.image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, made.readback.handle, 1, &made.copy);
  OK(vkEndCommandBuffer(made.other.commands));
  const VkSubmitInfo read = ReadOf(made);
  OK(vkQueueSubmit(made.other.queue, 1, &read, VK_NULL_HANDLE));
  OK(vkDeviceWaitIdle(device));
  Close(made.released, made.image, made.staging, made.readback, made.other.pool);
}

int main() {
  BarriersOfOneCommand();
  SignalOfOtherStages();
  AcquiredBesideTheWait();
}
