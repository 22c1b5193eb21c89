// Defect: Submissions fail for lack of memory, which leaves all objects unchanged. The program
// submits again.
// Fix: The first submission succeeds.
#include "common/vulkan_second_queue.h"
#include "common/vulkan_submits.h"

// Defect: A submission fails for lack of memory, which leaves all objects unchanged. The program
// submits again with the same command buffer, semaphores and fence.
// Fix: The submission succeeds.
// EXPECT warning out-of-memory vkQueueSubmit at SUBMIT
static void SubmitAgain() {
#ifdef DEFECT
  // The second one fails.
  setenv("GPUSAN_TEST_SUBMIT_FAILS", "2", 1);
#endif
  Open({.test_device = true});
  Upload upload = MakeUpload();
  SubmitUpload(upload);
  RecordReadback(upload);
  const VkSubmitInfo info = ReadbackInfo(upload);
#ifdef DEFECT
  // @SUBMIT
  CHECK(vkQueueSubmit(queue, 1, &info, upload.done) == VK_ERROR_OUT_OF_HOST_MEMORY);
#endif
  OK(vkQueueSubmit(queue, 1, &info, upload.done));
  ReadResult(upload);
  DestroyUpload(upload);
  Close();
}

// Defect: An image moves from one queue family to another. Both submissions fail for lack of memory
// at first and are repeated: images and timelines are unchanged.
// Fix: Both submissions succeed.
// EXPECT warning out-of-memory vkQueueSubmit2 at RELEASE
// EXPECT warning out-of-memory vkQueueSubmit2 at ACQUIRE
static VkImageMemoryBarrier Transfer(const Image& image, VkAccessFlags source_access,
                                     VkAccessFlags target_access) {
  VkImageMemoryBarrier transfer =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, source_access, target_access);
  transfer.srcQueueFamilyIndex = family;
  transfer.dstQueueFamilyIndex = SecondFamily();
  return transfer;
}

static void TransferSubmittedAgain() {
#ifdef DEFECT
  setenv("GPUSAN_TEST_SUBMIT_FAILS", "1,3", 1);
#endif
  VkPhysicalDeviceVulkan13Features newer = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  newer.synchronization2 = VK_TRUE;
  VkPhysicalDeviceVulkan12Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &newer};
  features.timelineSemaphore = VK_TRUE;
  Open({.features = &features, .second_family = true});
  const SecondQueue other = OpenSecondQueue();
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  const VkSemaphoreCreateInfo semaphore = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
  VkSemaphore timeline;
  OK(vkCreateSemaphore(device, &semaphore, nullptr, &timeline));
  const Buffer source = MakeStaging(16 * 16 * 4), result = MakeBuffer(16 * 16 * 4);
  const Image image = MakeImage(ImageInfo(16, 16));
  VkBufferImageCopy all = {};
  all.imageSubresource = kFirst;
  all.imageExtent = {16, 16, 1};

  Begin();
  const VkImageMemoryBarrier to_write =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_write);
  vkCmdCopyBufferToImage(commands, source.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &all);
  const VkImageMemoryBarrier release = Transfer(image, VK_ACCESS_TRANSFER_WRITE_BIT, 0);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &release);
  OK(vkEndCommandBuffer(commands));
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(other.commands, &begin));
  const VkImageMemoryBarrier acquire = Transfer(image, 0, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(other.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &acquire);
  vkCmdCopyImageToBuffer(other.commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         result.handle, 1, &all);
  OK(vkEndCommandBuffer(other.commands));

  VkCommandBufferSubmitInfo first = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
  first.commandBuffer = commands;
  VkSemaphoreSubmitInfo released = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
  released.semaphore = timeline;
  released.value = 1;
  released.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  VkSubmitInfo2 write = {VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  write.commandBufferInfoCount = 1;
  write.pCommandBufferInfos = &first;
  write.signalSemaphoreInfoCount = 1;
  write.pSignalSemaphoreInfos = &released;
#ifdef DEFECT
  // @RELEASE
  CHECK(vkQueueSubmit2(queue, 1, &write, VK_NULL_HANDLE) == VK_ERROR_OUT_OF_HOST_MEMORY);
#endif
  OK(vkQueueSubmit2(queue, 1, &write, VK_NULL_HANDLE));

  VkCommandBufferSubmitInfo second = first;
  second.commandBuffer = other.commands;
  VkSemaphoreSubmitInfo read_done = released;
  read_done.value = 2;
  released.stageMask = VK_PIPELINE_STAGE_2_TRANSFER_BIT;
  VkSubmitInfo2 read = {VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  read.waitSemaphoreInfoCount = 1;
  read.pWaitSemaphoreInfos = &released;
  read.commandBufferInfoCount = 1;
  read.pCommandBufferInfos = &second;
  read.signalSemaphoreInfoCount = 1;
  read.pSignalSemaphoreInfos = &read_done;
#ifdef DEFECT
  // @ACQUIRE
  CHECK(vkQueueSubmit2(other.queue, 1, &read, VK_NULL_HANDLE) == VK_ERROR_OUT_OF_HOST_MEMORY);
#endif
  OK(vkQueueSubmit2(other.queue, 1, &read, VK_NULL_HANDLE));
  const uint64_t last = 2;
  VkSemaphoreWaitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  wait.semaphoreCount = 1;
  wait.pSemaphores = &timeline;
  wait.pValues = &last;
  OK(vkWaitSemaphores(device, &wait, ~0ull));
  Close(timeline, source, result, image, other.pool);
}

int main() {
  SubmitAgain();
  TransferSubmittedAgain();
}
