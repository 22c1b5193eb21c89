// The mip levels of an image belong to different queue families: all of it goes over, one level comes
// back and is written again, while the other one is still read.
#include "common/vulkan.h"

namespace {

struct Lane {
  VkQueue queue;
  uint32_t family;
  VkCommandPool pool;
};

VkCommandBuffer Start(const Lane& lane) {
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
void Submit(const Lane& lane, VkCommandBuffer made, VkSemaphore timeline, uint64_t number) {
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

void CmdMove(VkCommandBuffer to, const VkImageMemoryBarrier& barrier) {
  vkCmdPipelineBarrier(to, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                       nullptr, 0, nullptr, 1, &barrier);
}

VkBufferImageCopy Level(uint32_t mip) {
  VkBufferImageCopy region = {};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, mip, 0, 1};
  region.imageExtent = {16u >> mip, 16u >> mip, 1};
  return region;
}

}  // namespace

int main() {
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
  VkImageMemoryBarrier barrier = ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, kTo, 0,
                                              VK_ACCESS_TRANSFER_WRITE_BIT);
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
