// Aliases that may be read although another one was written since: images of the same parameters that
// are made for it, an image of linear tiling, buffers, and an image of which another part was written.
#include "common/vulkan_alias.h"
#include "common/vulkan_barriers.h"

namespace {

constexpr VkDeviceSize kBytes = kAliasSize * kAliasSize * 4;

void CmdBarrier() {
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
}

void CmdMove(VkImage image, VkImageLayout from, VkImageLayout to) {
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image, from, to, VK_ACCESS_TRANSFER_WRITE_BIT,
                   VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
}

void CmdRead(VkImage image, VkImageLayout layout, VkBuffer target) {
  VkBufferImageCopy region = {};
  region.imageSubresource = kFirst;
  region.imageExtent = {kAliasSize, kAliasSize, 1};
  vkCmdCopyImageToBuffer(commands, image, layout, target, 1, &region);
}

}  // namespace

int main() {
  Open();
  const Buffer source = MakeStaging(kBytes), target = MakeBuffer(3 * kBytes);

  // Made alike, and to be aliases: what was written by the one is read by the other. Each keeps a
  // layout of its own.
  VkImageCreateInfo info = ImageInfo(kAliasSize, kAliasSize);
  info.flags = VK_IMAGE_CREATE_ALIAS_BIT;
  const Image first = MakeImage(info);
  const VkImage second = MakeAlias(first, info);
  Begin();
  CmdMove(first.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
  CmdMove(second, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
  VkBufferImageCopy region = {};
  region.imageSubresource = kFirst;
  region.imageExtent = {kAliasSize, kAliasSize, 1};
  vkCmdCopyBufferToImage(commands, source.handle, first.handle, VK_IMAGE_LAYOUT_GENERAL, 1,
                         &region);
  CmdBarrier();
  CmdRead(second, VK_IMAGE_LAYOUT_GENERAL, target.handle);
  Run();

  // A linear image and a buffer.
  info = ImageInfo(kAliasSize, kAliasSize);
  info.tiling = VK_IMAGE_TILING_LINEAR;
  const Image linear = MakeImage(info);
  const VkBuffer bytes = MakeAlias(Buffer{VK_NULL_HANDLE, linear.memory}, 0, kBytes);
  Begin();
  CmdMove(linear.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
  const VkBufferCopy copy = {0, 0, kBytes};
  vkCmdCopyBuffer(commands, source.handle, bytes, 1, &copy);
  CmdBarrier();
  CmdRead(linear.handle, VK_IMAGE_LAYOUT_GENERAL, target.handle);
  Run();

  // Two buffers.
  const Buffer one = MakeBuffer(kBytes);
  const VkBuffer other = MakeAlias(one, 0, kBytes);
  Begin();
  vkCmdCopyBuffer(commands, source.handle, one.handle, 1, &copy);
  CmdBarrier();
  vkCmdFillBuffer(commands, other, 0, 16, 1);
  CmdBarrier();
  vkCmdCopyBuffer(commands, one.handle, target.handle, 1, &copy);
  Run();

  // The write by the alias comes first, and behind the image, into bytes that it may not have.
  const VkDeviceSize behind = 3 * kAliasSize * kAliasSize;
  const Image image = MakeImage(ImageInfo(kAliasSize, kAliasSize / 2));
  VkImageCreateInfo larger = ImageInfo(kAliasSize, kAliasSize);
  larger.mipLevels = 2;
  const Image levels = MakeImage(larger);
  const VkBuffer part = MakeAlias(Buffer{VK_NULL_HANDLE, levels.memory}, behind, 64);
  Begin();
  vkCmdFillBuffer(commands, part, 0, 64, 1);
  CmdBarrier();
  const VkImageMemoryBarrier discard = Discard(levels.handle, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &discard);
  CmdUpload(source.handle, levels.handle);
  CmdDownload(levels.handle, target.handle);
  Run();

  vkDestroyBuffer(device, part, nullptr);
  vkDestroyBuffer(device, other, nullptr);
  vkDestroyBuffer(device, bytes, nullptr);
  vkDestroyImage(device, second, nullptr);
  for (const Image& made : {first, linear, image, levels}) Destroy(made);
  for (const Buffer& made : {source, target, one}) Destroy(made);
  Close();
}
