// Defect: An event does not order the copies behind its wait, because it is set too early or still
// set.
// Fix: The event is set behind the copies, and reset between two uses.
#include "common/vulkan.h"
#include "common/vulkan_events.h"

// Defect: An event is set before two copies, and its wait has barriers for what they write: the
// barriers do not cover the copies.
// Fix: The event is set after the copies.
// EXPECT error missing-barrier vkCmdWaitEvents at WAIT
// EXPECT-PARTY earlier-access at TO_IMAGE
// EXPECT error missing-barrier vkCmdCopyBuffer at READ
// EXPECT-PARTY earlier-access at TO_BUFFER
static void EventSetTooEarly() {
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
  Destroy(event, image, source, middle, target);
}

// Defect: An event orders two pairs of copies, and is not reset between them. The second command
// that sets it has no effect, so that the second wait does not wait for the copy before it.
// Fix: The event is reset behind the first wait.
// EXPECT error missing-barrier vkCmdCopyBuffer at READ_2
// EXPECT-PARTY earlier-access at WRITE
static void EventThatIsStillSet() {
  const Chain chain = MakeChain();
  const VkEvent event = MakeEvent();
  const VkBufferCopy all = {0, 0, 4096};
  const VkMemoryBarrier barrier = CopyBarrier();
  constexpr VkPipelineStageFlags kCopy = VK_PIPELINE_STAGE_TRANSFER_BIT;
  Begin();
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  vkCmdSetEvent(commands, event, kCopy);
  vkCmdWaitEvents(commands, 1, &event, kCopy, kCopy, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(commands, chain.second.handle, chain.third.handle, 1, &all);
  VkMemoryBarrier again = barrier;
  again.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  vkCmdPipelineBarrier(commands, kCopy, kCopy, 0, 1, &again, 0, nullptr, 0, nullptr);
#ifndef DEFECT
  vkCmdResetEvent(commands, event, kCopy);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 0, nullptr);
#endif
  // @WRITE
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  vkCmdSetEvent(commands, event, kCopy);
  vkCmdWaitEvents(commands, 1, &event, kCopy, kCopy, 1, &barrier, 0, nullptr, 0, nullptr);
  // @READ_2
  vkCmdCopyBuffer(commands, chain.second.handle, chain.third.handle, 1, &all);
  Run();
  Destroy(event, chain);
}

int main() {
  Open();
  EventSetTooEarly();
  EventThatIsStillSet();
  Close();
}
