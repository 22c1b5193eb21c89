// Images, or parts of them, go from one queue family to the other, or do not need to.
#include "common/vulkan.h"
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

// The mip levels of an image belong to different queue families: all of it goes over, one level
// comes back and is written again, while the other one is still read.
struct Lane {
  VkQueue queue;
  uint32_t family;
  VkCommandPool pool;
};

static VkCommandBuffer Start(const Lane& lane) {
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = lane.pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer made;
  OK(vkAllocateCommandBuffers(device, &allocate, &made));
  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(made, &begin));
  return made;
}

// Behind the submission before it, and in front of the next.
static void Submit(const Lane& lane, VkCommandBuffer made, VkSemaphore timeline, uint64_t number) {
  OK(vkEndCommandBuffer(made));
  const uint64_t before = number - 1;
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &before;
  values.pSignalSemaphoreValues = &number;
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO, &values};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &made;
  info.waitSemaphoreCount = info.signalSemaphoreCount = 1;
  info.pWaitSemaphores = info.pSignalSemaphores = &timeline;
  info.pWaitDstStageMask = &stage;
  OK(vkQueueSubmit(lane.queue, 1, &info, VK_NULL_HANDLE));
}

static void CmdMove(VkCommandBuffer to, const VkImageMemoryBarrier& barrier) {
  vkCmdPipelineBarrier(to, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                       nullptr, 0, nullptr, 1, &barrier);
}

static VkBufferImageCopy Level(uint32_t mip) {
  VkBufferImageCopy region = {};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, mip, 0, 1};
  region.imageExtent = {16u >> mip, 16u >> mip, 1};
  return region;
}

static void OwnershipOfParts() {
  VkPhysicalDeviceTimelineSemaphoreFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
  features.timelineSemaphore = VK_TRUE;
  Wanted wanted;
  wanted.second_family = true;
  wanted.features = &features;
  Open(wanted);
  const Lane first = {queue, family, pool};
  Lane second = {VK_NULL_HANDLE, SecondFamily(), VK_NULL_HANDLE};
  vkGetDeviceQueue(device, second.family, 0, &second.queue);
  VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = second.family;
  OK(vkCreateCommandPool(device, &pool_info, nullptr, &second.pool));
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  VkSemaphore timeline;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &timeline));
  const Image image = MakeImage(ImageInfo(16, 16, VK_FORMAT_R8G8B8A8_UNORM, 2));
  const Buffer source = MakeStaging(4096), target = MakeBuffer(4096);
  constexpr VkImageLayout kTo = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                          kFrom = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  const VkBufferImageCopy levels[] = {Level(0), Level(1)};

  // All of it is written on the second queue, and goes to the first.
  VkCommandBuffer made = Start(second);
  VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, kTo, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  barrier.subresourceRange.levelCount = 2;
  CmdMove(made, barrier);
  vkCmdCopyBufferToImage(made, source.handle, image.handle, kTo, 2, levels);
  VkImageMemoryBarrier over = ImageBarrier(image.handle, kTo, kFrom, VK_ACCESS_TRANSFER_WRITE_BIT,
                                           VK_ACCESS_TRANSFER_READ_BIT);
  over.subresourceRange.levelCount = 2;
  over.srcQueueFamilyIndex = second.family;
  over.dstQueueFamilyIndex = first.family;
  CmdMove(made, over);
  Submit(second, made, timeline, 1);

  // The second level comes back.
  made = Start(first);
  CmdMove(made, over);
  vkCmdCopyImageToBuffer(made, image.handle, kFrom, target.handle, 1, levels);
  VkImageMemoryBarrier back =
      ImageBarrier(image.handle, kFrom, kTo, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  back.subresourceRange.baseMipLevel = 1;
  back.srcQueueFamilyIndex = first.family;
  back.dstQueueFamilyIndex = second.family;
  CmdMove(made, back);
  Submit(first, made, timeline, 2);
  made = Start(second);
  CmdMove(made, back);
  vkCmdCopyBufferToImage(made, source.handle, image.handle, kTo, 1, &levels[1]);
  Submit(second, made, timeline, 3);

  // The first one has not moved.
  made = Start(first);
  VkMemoryBarrier again = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  again.srcAccessMask = again.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  vkCmdPipelineBarrier(made, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1,
                       &again, 0, nullptr, 0, nullptr);
  vkCmdCopyImageToBuffer(made, image.handle, kFrom, target.handle, 1, levels);
  Submit(first, made, timeline, 4);
  OK(vkDeviceWaitIdle(device));
  Close(timeline, second.pool, image, source, target);
}

int main() {
  OwnershipBySemaphore();
  LayoutSetByAnotherFamily();
  OwnershipOfParts();
}
