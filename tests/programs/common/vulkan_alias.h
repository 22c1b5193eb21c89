// Buffers and images that are bound to memory which something else has already.
#pragma once

#include "common/vulkan.h"

// All of the memory of another buffer of that size, from `offset` on.
[[maybe_unused]] static VkBuffer MakeAlias(const Buffer& other, VkDeviceSize offset,
                                           VkDeviceSize bytes) {
  const VkBufferCreateInfo info = BufferInfo(bytes);
  VkBuffer alias;
  OK(vkCreateBuffer(device, &info, nullptr, &alias));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, alias, &needs);
  OK(vkBindBufferMemory(device, alias, other.memory, offset));
  return alias;
}

// Of an image that was made by the same info.
[[maybe_unused]] static VkImage MakeAlias(const Image& other, const VkImageCreateInfo& info) {
  VkImage alias;
  OK(vkCreateImage(device, &info, nullptr, &alias));
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, alias, &needs);
  OK(vkBindImageMemory(device, alias, other.memory, 0));
  return alias;
}

constexpr uint32_t kAliasSize = 16;

// Makes it writable for transfers, of what was there before nothing is kept; behind `stages` that
// do `access`.
[[maybe_unused]] static VkImageMemoryBarrier Discard(VkImage image, VkAccessFlags access) {
  return ImageBarrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                      access, VK_ACCESS_TRANSFER_WRITE_BIT);
}

[[maybe_unused]] static void CmdUpload(VkBuffer source, VkImage image) {
  VkBufferImageCopy region = {};
  region.imageSubresource = kFirst;
  region.imageExtent = {kAliasSize, kAliasSize, 1};
  vkCmdCopyBufferToImage(commands, source, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
}

// Behind a barrier that makes what was uploaded readable.
[[maybe_unused]] static void CmdDownload(VkImage image, VkBuffer target) {
  const VkImageMemoryBarrier barrier = ImageBarrier(
      image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  VkBufferImageCopy region = {};
  region.imageSubresource = kFirst;
  region.imageExtent = {kAliasSize, kAliasSize, 1};
  vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, target, 1, &region);
}
