// The queue of the second family of a device that was opened with Wanted::second_family, and an
// image that goes there.
#pragma once

#include "common/vulkan.h"

struct SecondQueue {
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;  // of the pool
};

[[maybe_unused]] static SecondQueue OpenSecondQueue() {
  SecondQueue second;
  vkGetDeviceQueue(device, SecondFamily(), 0, &second.queue);
  VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = SecondFamily();
  OK(vkCreateCommandPool(device, &pool_info, nullptr, &second.pool));
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = second.pool;
  allocate.commandBufferCount = 1;
  OK(vkAllocateCommandBuffers(device, &allocate, &second.commands));
  return second;
}

// The barrier that transfers an image from the first family to the second one, for copies from it.
[[maybe_unused]] static VkImageMemoryBarrier ToSecondFamily(VkImage image, VkAccessFlags source,
                                                            VkAccessFlags target) {
  VkImageMemoryBarrier barrier = ImageBarrier(image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                              VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, source, target);
  barrier.srcQueueFamilyIndex = family;
  barrier.dstQueueFamilyIndex = SecondFamily();
  return barrier;
}

// An image that the first family uploads and releases, and what the second one needs for its read.
struct ReleasedImage {
  SecondQueue other;
  VkSemaphore released = VK_NULL_HANDLE;  // signalled behind the release
  Buffer staging, readback;
  Image image;
  VkBufferImageCopy copy = {};
};

// Opens the device, uploads an image and releases it, and begins the commands of the second family.
[[maybe_unused]] static ReleasedImage UploadAndRelease() {
  Wanted wanted;
  wanted.second_family = true;
  Open(wanted);
  ReleasedImage made;
  made.other = OpenSecondQueue();
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &made.released));
  made.staging = MakeStaging(4096);
  made.readback = MakeBuffer(4096, kCopies, kHostMemory);
  made.image = MakeImage(ImageInfo(32, 32));
  made.copy.imageSubresource = kFirst;
  made.copy.imageExtent = {32, 32, 1};
  Begin();
  const VkImageMemoryBarrier writable =
      ImageBarrier(made.image.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &writable);
  vkCmdCopyBufferToImage(commands, made.staging.handle, made.image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &made.copy);
  const VkImageMemoryBarrier release =
      ToSecondFamily(made.image.handle, VK_ACCESS_TRANSFER_WRITE_BIT, 0);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &release);
  OK(vkEndCommandBuffer(commands));
  VkSubmitInfo info = SubmitInfo();
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &made.released;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(made.other.commands, &begin));
  return made;
}

// The submission of the commands of the second family, which waits at the transfer stage.
[[maybe_unused]] static VkSubmitInfo ReadOf(const ReleasedImage& made) {
  static constexpr VkPipelineStageFlags kStage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkSubmitInfo read = SubmitInfo();
  read.pCommandBuffers = &made.other.commands;
  read.waitSemaphoreCount = 1;
  read.pWaitSemaphores = &made.released;
  read.pWaitDstStageMask = &kStage;
  return read;
}
