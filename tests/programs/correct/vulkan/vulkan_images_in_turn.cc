// Images have the same memory and are used in turn, and change their layouts twice with nothing
// between.
#include "common/vulkan_alias.h"
#include "common/vulkan_barriers.h"
#include "common/vulkan_pass.h"

// Two images and a buffer have the same memory and are used in turn, three times, without a wait of
// the host: each begins behind what the others did, by barriers of its own or of all memory.
static void MemoryOfImagesInTurn() {
  const VkDeviceSize bytes = kAliasSize * kAliasSize * 4;
  const VkImageCreateInfo info = ImageInfo(kAliasSize, kAliasSize);
  const Image first = MakeImage(info);
  const VkImage second = MakeAlias(first, info);
  const VkBuffer third = MakeAlias(Buffer{VK_NULL_HANDLE, first.memory}, 0, bytes);
  const Buffer source = MakeStaging(bytes), target = MakeBuffer(3 * bytes);
  Begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  VkBufferCopy copy = {0, 0, bytes};
  // What the buffer did the last time, and what the target holds from then.
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  VkDeviceSize at = 0;
  for (VkImage image : {first.handle, second}) {
    // Behind the reads of the image before it.
    const VkImageMemoryBarrier discard = Discard(image, 0);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 0, nullptr, 0, nullptr, 1, &discard);
    CmdUpload(source.handle, image);
    const VkImageMemoryBarrier barrier = ImageBarrier(
        image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 0, nullptr, 0, nullptr, 1, &barrier);
    VkBufferImageCopy region = {};
    region.bufferOffset = at;
    region.imageSubresource = kFirst;
    region.imageExtent = {kAliasSize, kAliasSize, 1};
    vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, target.handle, 1,
                           &region);
    at += bytes;
  }
  // Order is enough behind reads.
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(commands, source.handle, third, 1, &copy);
  VkBufferMemoryBarrier written = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  written.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  written.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  written.srcQueueFamilyIndex = written.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  written.buffer = third;
  written.size = VK_WHOLE_SIZE;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 1, &written, 0, nullptr);
  copy.dstOffset = at;
  vkCmdCopyBuffer(commands, third, target.handle, 1, &copy);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo submit = SubmitInfo();
  for (int i = 0; i < 3; ++i) OK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Destroy(third, second, first, source, target);
}

// The layout of an image changes twice with nothing between, by barriers and by a render pass, and
// the second change names nothing that is before it: on one queue such changes go by in their order
// (Vulkan 1.3 §7.1.1).
static void Change(VkPipelineStageFlags from, VkPipelineStageFlags to,
                   VkImageMemoryBarrier barrier) {
  vkCmdPipelineBarrier(commands, from, to, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

static void LayoutChangesInARow() {
  const Image image = MakeImage(PassImage());
  const Buffer target = MakeStaging(4 * kPassSize * kPassSize);
  constexpr VkImageLayout kColor = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                          kTo = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                          kFrom = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  constexpr VkPipelineStageFlags kNothing = VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                 kDraws = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                 kCopies = VK_PIPELINE_STAGE_TRANSFER_BIT;
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo info = PassBegin(pass, &clear);
  Begin();
  Change(kNothing, kDraws,
         ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, kColor, 0,
                      VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT));
  vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Change(kDraws, kCopies,
         ImageBarrier(image.handle, kColor, kTo, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, 0));
  Change(kNothing, kCopies, ImageBarrier(image.handle, kTo, kFrom, 0, VK_ACCESS_TRANSFER_READ_BIT));
  VkBufferImageCopy region = {};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {kPassSize, kPassSize, 1};
  vkCmdCopyImageToBuffer(commands, image.handle, kFrom, target.handle, 1, &region);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo submit = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
  OK(vkDeviceWaitIdle(device));
  Destroy(pass, image, target);
}

int main() {
  Open();
  MemoryOfImagesInTurn();
  LayoutChangesInARow();
  Close();
}
