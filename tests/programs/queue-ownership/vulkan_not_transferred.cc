// Defect: A queue family uses what another family owns, because the ownership was not transferred
// completely.
// Fix: One family releases the resource, and the other one acquires it.
#include "common/vulkan.h"
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
static void ImageNotAcquired() {
  const ReleasedImage made = UploadAndRelease();
#ifndef DEFECT
  const VkImageMemoryBarrier acquire =
      ToSecondFamily(made.image.handle, 0, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(made.other.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &acquire);
#endif
  // @USE
  vkCmdCopyImageToBuffer(made.other.commands, made.image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, made.readback.handle, 1, &made.copy);
  OK(vkEndCommandBuffer(made.other.commands));
  const VkSubmitInfo read = ReadOf(made);
  // @READ
  OK(vkQueueSubmit(made.other.queue, 1, &read, VK_NULL_HANDLE));
  OK(vkDeviceWaitIdle(device));
  Close(made.released, made.image, made.staging, made.readback, made.other.pool);
}

// Defect: A barrier that transfers a buffer to another queue family names the stage of the host.
// Fix: It names the stage of the copy before.
// EXPECT error queue-ownership vkCmdPipelineBarrier at RELEASE
// EXPECT-FACT vuid=VUID-vkCmdPipelineBarrier-srcStageMask-09634
static void TransferWithTheHost() {
  Wanted wanted;
  wanted.second_family = true;
  Open(wanted);
  const Buffer buffer = MakeStaging(4096);
  VkBufferMemoryBarrier release = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  release.srcQueueFamilyIndex = family;
  release.dstQueueFamilyIndex = SecondFamily();
  release.buffer = buffer.handle;
  release.size = VK_WHOLE_SIZE;
  VkPipelineStageFlags stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
#ifdef DEFECT
  stages = VK_PIPELINE_STAGE_HOST_BIT;
#endif
  Begin();
  // @RELEASE
  vkCmdPipelineBarrier(commands, stages, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 1,
                       &release, 0, nullptr);
  OK(vkEndCommandBuffer(commands));
  Close(buffer);
}

int main() {
  NeverTransferred();
  ImageNotAcquired();
  TransferWithTheHost();
}
