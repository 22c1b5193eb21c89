// Defect: An image is read after a write to the buffer that shares its memory: the content of the
// image is lost.
// Fix: The image is written again before the read.
// EXPECT warning uninitialized-read vkCmdCopyImageToBuffer at READ
// EXPECT-PARTY alias at WRITE
#include "common/vulkan_alias.h"

int main() {
  Open();
  const VkDeviceSize bytes = kAliasSize * kAliasSize * 4;
  const Image image = MakeImage(ImageInfo(kAliasSize, kAliasSize));
  const VkBuffer alias = MakeAlias(Buffer{VK_NULL_HANDLE, image.memory}, 0, bytes);
  const Buffer source = MakeStaging(bytes), target = MakeBuffer(bytes);
  Begin();
  const VkImageMemoryBarrier discard = Discard(image.handle, 0);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &discard);
  CmdUpload(source.handle, image.handle);
  VkMemoryBarrier all = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  all.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  all.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &all, 0, nullptr, 0, nullptr);
  const VkBufferCopy copy = {0, 0, bytes};
  // @WRITE
  vkCmdCopyBuffer(commands, source.handle, alias, 1, &copy);
#ifndef DEFECT
  const VkImageMemoryBarrier again = Discard(image.handle, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &all, 0, nullptr, 1, &again);
  CmdUpload(source.handle, image.handle);
#endif
  const VkImageMemoryBarrier barrier = ImageBarrier(
      image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &all, 0, nullptr, 1, &barrier);
  VkBufferImageCopy region = {};
  region.imageSubresource = kFirst;
  region.imageExtent = {kAliasSize, kAliasSize, 1};
  // @READ
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         target.handle, 1, &region);
  Run();
  Close(alias, image, source, target);
}
