// Images go from one queue family to the other, or do not need to.
#include "common/vulkan_second_queue.h"

// One family fills an image and releases it, the other acquires it behind a semaphore, reads it and
// gives it back; nobody waits in between.
// Barriers of the two halves differ by their masks alone.
static VkImageMemoryBarrier Transfer(VkImage image, uint32_t from, uint32_t to,
                                     VkImageLayout before, VkImageLayout after) {
  VkImageMemoryBarrier barrier = ImageBarrier(image, before, after, 0, 0);
  barrier.srcQueueFamilyIndex = from;
  barrier.dstQueueFamilyIndex = to;
  return barrier;
}

static void Cmd(VkCommandBuffer buffer, VkPipelineStageFlags from, VkPipelineStageFlags to,
                const VkImageMemoryBarrier& barrier) {
  vkCmdPipelineBarrier(buffer, from, to, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

static void OwnershipBySemaphore() {
  Wanted wanted;
  wanted.second_family = true;
  Open(wanted);
  const uint32_t other = SecondFamily();
  const SecondQueue second = OpenSecondQueue();
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer last;
  OK(vkAllocateCommandBuffers(device, &allocate, &last));
  const Image image = MakeImage(ImageInfo(16, 16));
  const Buffer target = MakeBuffer(1024);
  VkSemaphore there, back;
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &there));
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &back));
  constexpr VkImageLayout kFrom = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  constexpr VkImageLayout kTo = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;

  Begin();
  Cmd(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, kTransfer,
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, kFrom, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT));
  const VkClearColorValue color = {};
  vkCmdClearColorImage(commands, image.handle, kFrom, &color, 1, &kWhole);
  VkImageMemoryBarrier release = Transfer(image.handle, family, other, kFrom, kTo);
  release.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  Cmd(commands, kTransfer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, release);
  OK(vkEndCommandBuffer(commands));
  VkSubmitInfo info = SubmitInfo();
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &there;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));

  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(second.commands, &begin));
  VkImageMemoryBarrier acquire = Transfer(image.handle, family, other, kFrom, kTo);
  acquire.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  Cmd(second.commands, kTransfer, kTransfer, acquire);
  VkBufferImageCopy region = {};
  region.imageSubresource = kFirst;
  region.imageExtent = {16, 16, 1};
  vkCmdCopyImageToBuffer(second.commands, image.handle, kTo, target.handle, 1, &region);
  Cmd(second.commands, kTransfer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
      Transfer(image.handle, other, family, kTo, kFrom));
  OK(vkEndCommandBuffer(second.commands));
  VkSubmitInfo other_info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  const VkPipelineStageFlags stages = kTransfer;
  other_info.waitSemaphoreCount = 1;
  other_info.pWaitSemaphores = &there;
  other_info.pWaitDstStageMask = &stages;
  other_info.commandBufferCount = 1;
  other_info.pCommandBuffers = &second.commands;
  other_info.signalSemaphoreCount = 1;
  other_info.pSignalSemaphores = &back;
  OK(vkQueueSubmit(second.queue, 1, &other_info, VK_NULL_HANDLE));

  OK(vkBeginCommandBuffer(last, &begin));
  VkImageMemoryBarrier returned = Transfer(image.handle, other, family, kTo, kFrom);
  returned.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  // The semaphore is waited for at all stages, so that a barrier from no stage follows the wait.
  Cmd(last, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, kTransfer, returned);
  vkCmdClearColorImage(last, image.handle, kFrom, &color, 1, &kWhole);
  OK(vkEndCommandBuffer(last));
  VkSubmitInfo last_info = other_info;
  last_info.pWaitSemaphores = &back;
  last_info.pCommandBuffers = &last;
  last_info.signalSemaphoreCount = 0;
  const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  last_info.pWaitDstStageMask = &all;
  OK(vkQueueSubmit(queue, 1, &last_info, VK_NULL_HANDLE));
  OK(vkDeviceWaitIdle(device));
  Close(there, back, second.pool, image, target);
}

// One queue family brings a new image from the undefined layout into the layout of an upload. The
// other family fills the image and reads it, without a transfer of ownership: the image had no
// content that the second family needs (Vulkan 1.3 §7.7.4).
static void LayoutSetByAnotherFamily() {
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

int main() {
  OwnershipBySemaphore();
  LayoutSetByAnotherFamily();
}
