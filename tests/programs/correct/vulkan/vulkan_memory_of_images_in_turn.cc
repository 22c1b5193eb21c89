// Two images and a buffer have the same memory and are used in turn, three times, without a wait of
// the host: each begins behind what the others did, by barriers of its own or of all memory.
#include "common/vulkan_alias.h"
#include "common/vulkan_barriers.h"

int main() {
  Open();
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
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                         0, nullptr, 0, nullptr, 1, &discard);
    CmdUpload(source.handle, image);
    const VkImageMemoryBarrier barrier = ImageBarrier(
        image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                         0, nullptr, 0, nullptr, 1, &barrier);
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
  Close(third, second, first, source, target);
}
