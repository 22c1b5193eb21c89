// An image that one submission fills and the next one, behind a semaphore, reads back.
#pragma once

#include "common/vulkan.h"

struct Upload {
  Buffer staging, result;
  Image image;
  VkCommandBuffer readback;
  VkSemaphore filled, read;
  VkFence done;
};

constexpr VkDeviceSize kUploadBytes = 16 * 16 * 4;

[[maybe_unused]] static VkBufferImageCopy AllOfUpload() {
  VkBufferImageCopy all = {};
  all.imageSubresource = kFirst;
  all.imageExtent = {16, 16, 1};
  return all;
}

[[maybe_unused]] static Upload MakeUpload() {
  Upload upload = {};
  upload.staging = MakeStaging(kUploadBytes);
  upload.result = MakeStaging(kUploadBytes, 0);
  upload.image = MakeImage(ImageInfo(16, 16));
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  OK(vkAllocateCommandBuffers(device, &allocate, &upload.readback));
  const VkSemaphoreCreateInfo semaphore = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  OK(vkCreateSemaphore(device, &semaphore, nullptr, &upload.filled));
  OK(vkCreateSemaphore(device, &semaphore, nullptr, &upload.read));
  const VkFenceCreateInfo fence = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  OK(vkCreateFence(device, &fence, nullptr, &upload.done));
  return upload;
}

// In front of upload.filled.
[[maybe_unused]] static void SubmitUpload(const Upload& upload) {
  Begin();
  const VkImageMemoryBarrier to_write =
      ImageBarrier(upload.image.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_write);
  const VkBufferImageCopy all = AllOfUpload();
  vkCmdCopyBufferToImage(commands, upload.staging.handle, upload.image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &all);
  OK(vkEndCommandBuffer(commands));
  VkSubmitInfo info = SubmitInfo();
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &upload.filled;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}

// To be submitted once.
[[maybe_unused]] static void RecordReadback(const Upload& upload) {
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  OK(vkBeginCommandBuffer(upload.readback, &begin));
  const VkImageMemoryBarrier to_read =
      ImageBarrier(upload.image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_ACCESS_TRANSFER_WRITE_BIT,
                   VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(upload.readback, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &to_read);
  const VkBufferImageCopy all = AllOfUpload();
  vkCmdCopyImageToBuffer(upload.readback, upload.image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         upload.result.handle, 1, &all);
  VkMemoryBarrier to_host = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  to_host.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  to_host.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  vkCmdPipelineBarrier(upload.readback, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                       0, 1, &to_host, 0, nullptr, 0, nullptr);
  OK(vkEndCommandBuffer(upload.readback));
}

// Behind upload.filled and in front of upload.read.
[[maybe_unused]] static VkSubmitInfo ReadbackInfo(const Upload& upload) {
  static const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &upload.filled;
  info.pWaitDstStageMask = &stage;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &upload.readback;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &upload.read;
  return info;
}

// Waits for the fence, and once more for the semaphore, and looks at what was read.
[[maybe_unused]] static void ReadResult(const Upload& upload) {
  static const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &upload.read;
  info.pWaitDstStageMask = &stage;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkWaitForFences(device, 1, &upload.done, VK_TRUE, ~0ull));
  void* data;
  OK(vkMapMemory(device, upload.result.memory, 0, VK_WHOLE_SIZE, 0, &data));
  CHECK(static_cast<const unsigned char*>(data)[kUploadBytes - 1] == 7);
  vkUnmapMemory(device, upload.result.memory);
  OK(vkQueueWaitIdle(queue));
}

[[maybe_unused]] static void DestroyUpload(const Upload& upload) {
  OK(vkDeviceWaitIdle(device));
  vkDestroyFence(device, upload.done, nullptr);
  vkDestroySemaphore(device, upload.filled, nullptr);
  vkDestroySemaphore(device, upload.read, nullptr);
  Destroy(upload.staging);
  Destroy(upload.result);
  Destroy(upload.image);
}
