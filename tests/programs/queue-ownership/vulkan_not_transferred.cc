// Defect: A queue family uses what another family owns, because the ownership was not transferred
// completely.
// Fix: One family releases the resource, and the other one acquires it.
#include "common/vulkan_second_queue.h"

// Defect: A buffer is written by one queue family and read by another, after a wait of the host,
// but its ownership was never transferred.
// Fix: The family that writes the buffer releases it, the one that reads it acquires it.
// EXPECT error queue-ownership vkQueueSubmit at SUBMIT
static void NeverTransferred() {
  Wanted wanted;
  wanted.second_family = true;
  Open(wanted);
  const SecondQueue other = OpenSecondQueue();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096), c = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
#ifndef DEFECT
  VkBufferMemoryBarrier release = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  release.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  release.dstAccessMask = 0;
  release.srcQueueFamilyIndex = family;
  release.dstQueueFamilyIndex = SecondFamily();
  release.buffer = b.handle;
  release.size = VK_WHOLE_SIZE;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 1, &release, 0,
                       nullptr);
#endif
  Run();
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(other.commands, &begin));
#ifndef DEFECT
  VkBufferMemoryBarrier acquire = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  acquire.srcAccessMask = 0;
  acquire.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  acquire.srcQueueFamilyIndex = family;
  acquire.dstQueueFamilyIndex = SecondFamily();
  acquire.buffer = b.handle;
  acquire.size = VK_WHOLE_SIZE;
  vkCmdPipelineBarrier(other.commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 1, &acquire, 0, nullptr);
#endif
  vkCmdCopyBuffer(other.commands, b.handle, c.handle, 1, &all);
  OK(vkEndCommandBuffer(other.commands));
  VkSubmitInfo info = SubmitInfo();
  info.pCommandBuffers = &other.commands;
  // @SUBMIT
  OK(vkQueueSubmit(other.queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(other.queue));
  Close(a, b, c, other.pool);
}

// Defect: One queue family uploads an image and releases it with a change of its layout. The other
// family, behind a semaphore, reads the image without the acquisition. One finding covers what
// follows from it.
// Fix: The second family acquires the image with the same barrier.
// EXPECT error queue-ownership vkQueueSubmit at READ
// EXPECT-PARTY recorded at USE
static SecondQueue other;

static VkImageMemoryBarrier Transfer(VkImage image, VkAccessFlags source, VkAccessFlags target) {
  VkImageMemoryBarrier barrier = ImageBarrier(image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                              VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, source, target);
  barrier.srcQueueFamilyIndex = family;
  barrier.dstQueueFamilyIndex = SecondFamily();
  return barrier;
}

static void ImageNotAcquired() {
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
#ifndef DEFECT
  const VkImageMemoryBarrier acquire = Transfer(image.handle, 0, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(other.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &acquire);
#endif
  // @USE
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

int main() {
  NeverTransferred();
  ImageNotAcquired();
}
