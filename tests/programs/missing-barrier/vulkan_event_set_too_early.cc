// Defect: An event is set before two copies, and its wait has barriers for what they write: the
// barriers do not cover the copies.
// Fix: The event is set after the copies.
// EXPECT error missing-barrier vkCmdWaitEvents at WAIT
// EXPECT-PARTY earlier-access at TO_IMAGE
// EXPECT error missing-barrier vkCmdCopyBuffer at READ
// EXPECT-PARTY earlier-access at TO_BUFFER
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer source = MakeStaging(1024), middle = MakeBuffer(1024), target = MakeBuffer(2048);
  const Image image = MakeImage(ImageInfo(16, 16));
  const VkEventCreateInfo event_info = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent event;
  OK(vkCreateEvent(device, &event_info, nullptr, &event));
  constexpr VkImageLayout kTo = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                          kFrom = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  Begin();
  VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, kTo, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
#ifdef DEFECT
  vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
#endif
  VkBufferImageCopy all = {};
  all.imageSubresource = kFirst;
  all.imageExtent = {16, 16, 1};
  // @TO_IMAGE
  vkCmdCopyBufferToImage(commands, source.handle, image.handle, kTo, 1, &all);
  const VkBufferCopy bytes = {0, 0, 1024};
  // @TO_BUFFER
  vkCmdCopyBuffer(commands, source.handle, middle.handle, 1, &bytes);
#ifndef DEFECT
  vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
#endif
  barrier = ImageBarrier(image.handle, kTo, kFrom, VK_ACCESS_TRANSFER_WRITE_BIT,
                         VK_ACCESS_TRANSFER_READ_BIT);
  VkBufferMemoryBarrier written = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  written.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  written.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  written.srcQueueFamilyIndex = written.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  written.buffer = middle.handle;
  written.size = VK_WHOLE_SIZE;
  // @WAIT
  vkCmdWaitEvents(commands, 1, &event, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  VK_PIPELINE_STAGE_TRANSFER_BIT, 0, nullptr, 1, &written, 1, &barrier);
  vkCmdCopyImageToBuffer(commands, image.handle, kFrom, target.handle, 1, &all);
  const VkBufferCopy behind = {0, 1024, 1024};
  // @READ
  vkCmdCopyBuffer(commands, middle.handle, target.handle, 1, &behind);
  Run();
  Close(event, image, source, middle, target);
}
