// An image's stencil is made for more than its depth is: it is copied, which depth may not be.
#include "common/vulkan.h"

int main() {
  Open();
  constexpr VkFormat kFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
  VkImageStencilUsageCreateInfo stencil = {VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO};
  stencil.stencilUsage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                         VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  VkImageCreateInfo info = ImageInfo(16, 16, kFormat);
  info.pNext = &stencil;
  info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  VkFormatProperties properties;
  vkGetPhysicalDeviceFormatProperties(physical, kFormat, &properties);
  NEEDS((properties.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT) != 0);
  const Image image = MakeImage(info);
  const Buffer source = MakeStaging(256), target = MakeBuffer(256);
  Begin();
  constexpr VkImageLayout kTo = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                          kFrom = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, kTo, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  VkBufferImageCopy all = {};
  all.imageSubresource = {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1};
  all.imageExtent = {16, 16, 1};
  vkCmdCopyBufferToImage(commands, source.handle, image.handle, kTo, 1, &all);
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  barrier.oldLayout = kTo;
  barrier.newLayout = kFrom;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  vkCmdCopyImageToBuffer(commands, image.handle, kFrom, target.handle, 1, &all);
  Run();
  Destroy(image);
  Destroy(source);
  Destroy(target);
  Close();
}
