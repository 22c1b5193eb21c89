// One queue family brings a new image from the undefined layout into the layout of an upload. The
// other family fills the image and reads it, without a transfer of ownership: the image had no
// content that the second family needs (Vulkan 1.3 §7.7.4).
#include "common/vulkan_second_queue.h"

int main() {
  Wanted wanted;
  wanted.second_family = true;
  Open(wanted);
  const SecondQueue other = OpenSecondQueue();
  const Buffer staging = MakeStaging(4096), readback = MakeBuffer(4096, kCopies, kHostMemory);
  const Image image = MakeImage(ImageInfo(32, 32));
  const Image handed_over = MakeImage(ImageInfo(32, 32));
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {32, 32, 1};
  Begin();
  for (const VkImage made : {image.handle, handed_over.handle}) {
    const VkImageMemoryBarrier writable =
        ImageBarrier(made, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                     VK_ACCESS_TRANSFER_WRITE_BIT);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &writable);
  }
  Run();
  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(other.commands, &begin));
  vkCmdCopyBufferToImage(other.commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  const VkImageMemoryBarrier readable = ImageBarrier(
      image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(other.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &readable);
  vkCmdCopyImageToBuffer(other.commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         readback.handle, 1, &copy);
  // The second image is released although it has no content.
  VkImageMemoryBarrier release =
      ImageBarrier(handed_over.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_ACCESS_TRANSFER_WRITE_BIT, 0);
  release.srcQueueFamilyIndex = SecondFamily();
  release.dstQueueFamilyIndex = family;
  vkCmdPipelineBarrier(other.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &release);
  OK(vkEndCommandBuffer(other.commands));
  VkSubmitInfo submit = SubmitInfo();
  submit.pCommandBuffers = &other.commands;
  OK(vkQueueSubmit(other.queue, 1, &submit, VK_NULL_HANDLE));
  OK(vkDeviceWaitIdle(device));
  Begin();
  VkImageMemoryBarrier acquire = release;
  acquire.srcAccessMask = 0;
  acquire.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &acquire);
  Run();
  Close(image, handed_over, staging, readback, other.pool);
}
