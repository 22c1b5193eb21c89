// Defect: One queue family releases an image with a change of its layout, and another one acquires
// it with another change.
// Fix: Both barriers of the transfer name the same layouts.
// EXPECT error queue-ownership vkCmdPipelineBarrier at ACQUIRE
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pSubmits-02207
#include "common/vulkan_second_queue.h"

static VkImageMemoryBarrier Transfer(VkImage image, VkAccessFlags source, VkAccessFlags target) {
  VkImageMemoryBarrier barrier = ImageBarrier(image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                              VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, source, target);
  barrier.srcQueueFamilyIndex = family;
  barrier.dstQueueFamilyIndex = SecondFamily();
  return barrier;
}

int main() {
  Open({.second_family = true});
  const SecondQueue other = OpenSecondQueue();
  const Image image = MakeImage(ImageInfo(32, 32));
  Begin();
  const VkImageMemoryBarrier writable =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &writable);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1,
                       &kWhole);
  const VkImageMemoryBarrier release = Transfer(image.handle, VK_ACCESS_TRANSFER_WRITE_BIT, 0);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &release);
  Run();
  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(other.commands, &begin));
  VkImageMemoryBarrier acquire = Transfer(image.handle, 0, VK_ACCESS_TRANSFER_READ_BIT);
#ifdef DEFECT
  acquire.oldLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
#endif
  // @ACQUIRE
  vkCmdPipelineBarrier(other.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &acquire);
  OK(vkEndCommandBuffer(other.commands));
  VkSubmitInfo info = SubmitInfo();
  info.pCommandBuffers = &other.commands;
  OK(vkQueueSubmit(other.queue, 1, &info, VK_NULL_HANDLE));
  OK(vkDeviceWaitIdle(device));
  Close(image, other.pool);
}
