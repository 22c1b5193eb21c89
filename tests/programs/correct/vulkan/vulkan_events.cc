// Events that are set, waited for and reset in every form.
#include "common/vulkan.h"
#include "common/vulkan_events.h"

// Events that look misused: one is set twice, one is set by the host before it is waited for with
// an event of a command, one is waited for twice and reset behind a barrier, and one is set in one
// submission and reset in the next.
static void EventsSetOverAndOver() {
  Open();
  const Chain chain = MakeChain();
  const VkEvent by_command = MakeEvent(), by_host = MakeEvent(), again = MakeEvent();
  const VkEvent both[] = {by_command, by_host};
  const VkBufferCopy all = {0, 0, 4096};
  VkMemoryBarrier barrier = CopyBarrier();
  constexpr VkPipelineStageFlags kCopy = VK_PIPELINE_STAGE_TRANSFER_BIT;
  OK(vkSetEvent(device, by_host));
  Begin();
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  vkCmdSetEvent(commands, by_command, kCopy);
  vkCmdSetEvent(commands, by_command, kCopy);
  vkCmdWaitEvents(commands, 2, both, kCopy | VK_PIPELINE_STAGE_HOST_BIT, kCopy, 1, &barrier, 0,
                  nullptr, 0, nullptr);
  vkCmdWaitEvents(commands, 1, &by_command, kCopy, kCopy, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(commands, chain.second.handle, chain.third.handle, 1, &all);
  vkCmdPipelineBarrier(commands, kCopy, kCopy, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdResetEvent(commands, by_command, kCopy);
  vkCmdSetEvent(commands, again, kCopy);
  Run();
  OK(vkResetEvent(device, by_host));
  Begin();
  vkCmdWaitEvents(commands, 1, &again, kCopy, kCopy, 1, &barrier, 0, nullptr, 0, nullptr);
  Run();
  Begin();
  vkCmdResetEvent(commands, again, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdSetEvent(commands, again, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  vkCmdWaitEvents(commands, 1, &again, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, kCopy, 0, nullptr, 0,
                  nullptr, 0, nullptr);
  Run();
  for (VkEvent event : {by_command, by_host, again}) vkDestroyEvent(device, event, nullptr);
  Close(chain);
}

// Events whose wait changes layouts, in the words of synchronization2: two in one wait, one that is
// waited for in another submission, and one that is set again behind its reset.
static VkImageMemoryBarrier2 Move(VkImage image, VkImageLayout from, VkImageLayout to,
                           VkAccessFlags2 before, VkAccessFlags2 after) {
  VkImageMemoryBarrier2 barrier = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
  barrier.srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
  barrier.srcAccessMask = before;
  barrier.dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
  barrier.dstAccessMask = after;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = kWhole;
  return barrier;
}

static VkDependencyInfo Depends(const VkImageMemoryBarrier2* barrier) {
  VkDependencyInfo info = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.imageMemoryBarrierCount = 1;
  info.pImageMemoryBarriers = barrier;
  return info;
}

static void CmdUpload(const Buffer& source, const Image& image) {
  VkBufferImageCopy region = {};
  region.imageSubresource = kFirst;
  region.imageExtent = {16, 16, 1};
  vkCmdCopyBufferToImage(commands, source.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
}
static void CmdDownload(const Image& image, const Buffer& target, VkDeviceSize at) {
  VkBufferImageCopy region = {};
  region.bufferOffset = at;
  region.imageSubresource = kFirst;
  region.imageExtent = {16, 16, 1};
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         target.handle, 1, &region);
}

static void EventsInNewForm() {
  constexpr VkDeviceSize kBytes = 16 * 16 * 4;
  VkPhysicalDeviceSynchronization2Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES};
  features.synchronization2 = VK_TRUE;
  Open({.features = &features});
  const VkEventCreateInfo event_info = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent events[2];
  for (VkEvent& event : events) OK(vkCreateEvent(device, &event_info, nullptr, &event));
  const Image images[2] = {MakeImage(ImageInfo(16, 16)), MakeImage(ImageInfo(16, 16))};
  const Buffer source = MakeStaging(kBytes), target = MakeBuffer(3 * kBytes);

  VkImageMemoryBarrier2 fresh[2], readable[2];
  VkDependencyInfo dependencies[2];
  for (int i = 0; i < 2; ++i) {
    fresh[i] = Move(images[i].handle, VK_IMAGE_LAYOUT_UNDEFINED,
                    VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    readable[i] =
        Move(images[i].handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
             VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_ACCESS_2_TRANSFER_WRITE_BIT,
             VK_ACCESS_2_TRANSFER_READ_BIT);
    dependencies[i] = Depends(&readable[i]);
  }
  Begin();
  VkDependencyInfo first = Depends(fresh);
  first.imageMemoryBarrierCount = 2;
  vkCmdPipelineBarrier2(commands, &first);
  for (int i = 0; i < 2; ++i) {
    CmdUpload(source, images[i]);
    vkCmdSetEvent2(commands, events[i], &dependencies[i]);
  }
  vkCmdWaitEvents2(commands, 2, events, dependencies);
  for (int i = 0; i < 2; ++i) CmdDownload(images[i], target, i * kBytes);

  // Set again, and waited for by what is submitted next.
  vkCmdResetEvent2(commands, events[0], VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  VkMemoryBarrier2 all = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  all.srcStageMask = all.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  VkDependencyInfo between = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  between.memoryBarrierCount = 1;
  between.pMemoryBarriers = &all;
  vkCmdPipelineBarrier2(commands, &between);
  const VkImageMemoryBarrier2 again =
      Move(images[0].handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
           VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, VK_ACCESS_2_TRANSFER_WRITE_BIT);
  const VkDependencyInfo write = Depends(&again);
  vkCmdPipelineBarrier2(commands, &write);
  CmdUpload(source, images[0]);
  vkCmdSetEvent2(commands, events[0], &dependencies[0]);
  OK(vkEndCommandBuffer(commands));
  VkCommandBufferSubmitInfo buffer = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
  buffer.commandBuffer = commands;
  VkSubmitInfo2 submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  submit.commandBufferInfoCount = 1;
  submit.pCommandBufferInfos = &buffer;
  OK(vkQueueSubmit2(queue, 1, &submit, VK_NULL_HANDLE));

  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer earlier = commands;
  OK(vkAllocateCommandBuffers(device, &allocate, &commands));
  Begin();
  vkCmdWaitEvents2(commands, 1, events, dependencies);
  CmdDownload(images[0], target, 2 * kBytes);
  OK(vkEndCommandBuffer(commands));
  buffer.commandBuffer = commands;
  OK(vkQueueSubmit2(queue, 1, &submit, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  vkFreeCommandBuffers(device, pool, 1, &earlier);
  for (VkEvent event : events) vkDestroyEvent(device, event, nullptr);
  for (const Image& image : images) Destroy(image);
  Close(source, target);
}

int main() {
  EventsSetOverAndOver();
  EventsInNewForm();
}
