// Defect: The memory of an image that has been read is given to another image, whose first barrier
// waits for nothing.
// Fix: The first barrier of the other image waits for the read.
// EXPECT error missing-barrier vkCmdPipelineBarrier at DISCARD
// EXPECT-PARTY earlier-access at READ
// EXPECT-FACT hazard=WAR
// EXPECT-TEXT include VK_PIPELINE_STAGE_TRANSFER_BIT in srcStageMask of this vkCmdPipelineBarrier
#include "common/vulkan_alias.h"

int main() {
  Open();
  const VkImageCreateInfo info = ImageInfo(kAliasSize, kAliasSize);
  const Image first = MakeImage(info);
  const VkImage second = MakeAlias(first, info);
  const Buffer source = MakeStaging(kAliasSize * kAliasSize * 4),
               target = MakeBuffer(kAliasSize * kAliasSize * 4);
  Begin();
  VkImageMemoryBarrier discard = Discard(first.handle, 0);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &discard);
  CmdUpload(source.handle, first.handle);
  const VkImageMemoryBarrier barrier = ImageBarrier(
      first.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  VkBufferImageCopy region = {};
  region.imageSubresource = kFirst;
  region.imageExtent = {kAliasSize, kAliasSize, 1};
  // @READ
  vkCmdCopyImageToBuffer(commands, first.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         target.handle, 1, &region);
  discard = Discard(second, 0);
#ifdef DEFECT
  // @DISCARD
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &discard);
#else
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &discard);
#endif
  CmdUpload(source.handle, second);
  Run();
  Close(second, first, source, target);
}
