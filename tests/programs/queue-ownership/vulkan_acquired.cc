// Defect: A queue family acquires what it owns, what nobody has used, or with other layouts than
// the release.
// Fix: The release and the acquisition belong together.
#include "common/vulkan.h"
#include "common/vulkan_second_queue.h"

// Defect: A queue family acquires a new buffer from another family, which has not released it.
// Fix: The other family releases the buffer first.
// EXPECT error queue-ownership vkQueueSubmit at SUBMIT
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pSubmits-02207
static SecondQueue other;

// Records the barrier for the other family, and waits until that family has run it.
[[maybe_unused]] static void RunOnOther(const VkBufferMemoryBarrier& barrier) {
  other = OpenSecondQueue();
  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(other.commands, &begin));
  vkCmdPipelineBarrier(other.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 1, &barrier, 0, nullptr);
  OK(vkEndCommandBuffer(other.commands));
  VkSubmitInfo submit = SubmitInfo();
  submit.pCommandBuffers = &other.commands;
  OK(vkQueueSubmit(other.queue, 1, &submit, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(other.queue));
}

static void AcquiredBeforeAnyUse() {
  const Buffer buffer = MakeBuffer(4096);
  VkBufferMemoryBarrier transfer = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  transfer.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  transfer.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  transfer.srcQueueFamilyIndex = SecondFamily();
  transfer.dstQueueFamilyIndex = family;
  transfer.buffer = buffer.handle;
  transfer.size = VK_WHOLE_SIZE;
#ifndef DEFECT
  RunOnOther(transfer);
#endif
  Begin();
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 1, &transfer, 0, nullptr);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  if (other.pool != VK_NULL_HANDLE) vkDestroyCommandPool(device, other.pool, nullptr);
  Destroy(buffer);
}

// Defect: A queue family that uses a buffer acquires it from another family, which never had it.
// Fix: The family uses the buffer without an acquisition.
// EXPECT error queue-ownership vkQueueSubmit at SUBMIT_2
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pSubmits-02207
static void AcquiredByItsOwner() {
  const Buffer source = MakeStaging(4096), buffer = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, source.handle, buffer.handle, 1, &all);
  Run();
  Begin();
#ifdef DEFECT
  VkBufferMemoryBarrier acquire = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  acquire.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  acquire.srcQueueFamilyIndex = SecondFamily();
  acquire.dstQueueFamilyIndex = family;
  acquire.buffer = buffer.handle;
  acquire.size = VK_WHOLE_SIZE;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 1, &acquire, 0, nullptr);
#endif
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT_2
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Destroy(source, buffer);
}

// Defect: One queue family releases an image with a change of its layout, and another one acquires
// it with another change.
// Fix: Both barriers of the transfer name the same layouts.
// EXPECT error queue-ownership vkCmdPipelineBarrier at ACQUIRE
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pSubmits-02207
static VkImageMemoryBarrier Transfer(VkImage image, VkAccessFlags source, VkAccessFlags target) {
  VkImageMemoryBarrier barrier = ImageBarrier(image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                              VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, source, target);
  barrier.srcQueueFamilyIndex = family;
  barrier.dstQueueFamilyIndex = SecondFamily();
  return barrier;
}

static void AcquiredWithOtherLayouts() {
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
  Destroy(image, other.pool);
}

int main() {
  Open({.second_family = true});
  AcquiredBeforeAnyUse();
  AcquiredByItsOwner();
  AcquiredWithOtherLayouts();
  Close();
}
