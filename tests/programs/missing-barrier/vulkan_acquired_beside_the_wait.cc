// Defect: One queue family uploads an image and releases it. The other family waits for the
// semaphore at the transfer stage, but its acquisition names the compute stage: nothing orders the
// acquisition after the wait.
// Fix: The acquisition names the stage at which its submission waits.
// EXPECT error missing-barrier vkCmdPipelineBarrier at ACQUIRE
// EXPECT-TEXT include the stages at which its submission waits for the semaphore in srcStageMask of this vkCmdPipelineBarrier
#include "common/vulkan_second_queue.h"

static SecondQueue other;

static VkImageMemoryBarrier Transfer(VkImage image, VkAccessFlags source, VkAccessFlags target) {
  VkImageMemoryBarrier barrier = ImageBarrier(image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                              VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, source, target);
  barrier.srcQueueFamilyIndex = family;
  barrier.dstQueueFamilyIndex = SecondFamily();
  return barrier;
}

int main() {
  Wanted wanted;
  wanted.second_family = true;
  Open(wanted);
  other = OpenSecondQueue();
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore released;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &released));
  const Buffer staging = MakeStaging(4096), readback = MakeBuffer(4096, kCopies, kHostMemory);
  const Image image = MakeImage(ImageInfo(32, 32));
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {32, 32, 1};
  Begin();
  const VkImageMemoryBarrier writable =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &writable);
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  const VkImageMemoryBarrier release = Transfer(image.handle, VK_ACCESS_TRANSFER_WRITE_BIT, 0);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &release);
  OK(vkEndCommandBuffer(commands));
  VkSubmitInfo info = SubmitInfo();
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &released;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(other.commands, &begin));
  const VkImageMemoryBarrier acquire = Transfer(image.handle, 0, VK_ACCESS_TRANSFER_READ_BIT);
  VkPipelineStageFlags first = VK_PIPELINE_STAGE_TRANSFER_BIT;
#ifdef DEFECT
  first = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
#endif
  // @ACQUIRE
  vkCmdPipelineBarrier(other.commands, first, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0,
                       nullptr, 1, &acquire);
  vkCmdCopyImageToBuffer(other.commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         readback.handle, 1, &copy);
  OK(vkEndCommandBuffer(other.commands));
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkSubmitInfo read = SubmitInfo();
  read.pCommandBuffers = &other.commands;
  read.waitSemaphoreCount = 1;
  read.pWaitSemaphores = &released;
  read.pWaitDstStageMask = &stage;
  // @READ
  OK(vkQueueSubmit(other.queue, 1, &read, VK_NULL_HANDLE));
  OK(vkDeviceWaitIdle(device));
  Close(released, image, staging, readback, other.pool);
}
