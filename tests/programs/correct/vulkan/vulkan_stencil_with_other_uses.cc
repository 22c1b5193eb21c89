// Images whose stencil is made for more than their depth is: it is cleared and copied, which depth
// may not be.
#include "common/vulkan_barriers.h"

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
  const Image images[] = {MakeImage(info), MakeImage(info)};
  Begin();
  for (const Image& image : images) {
    VkImageMemoryBarrier barrier =
        ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                     VK_ACCESS_TRANSFER_WRITE_BIT);
    barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 0, nullptr, 0, nullptr, 1, &barrier);
  }
  const VkClearDepthStencilValue three = {0, 3};
  const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1};
  vkCmdClearDepthStencilImage(commands, images[0].handle, VK_IMAGE_LAYOUT_GENERAL, &three, 1, &all);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  VkImageCopy copy = {};
  copy.srcSubresource = copy.dstSubresource = {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1};
  copy.extent = {16, 16, 1};
  vkCmdCopyImage(commands, images[0].handle, VK_IMAGE_LAYOUT_GENERAL, images[1].handle,
                 VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
  Run();
  for (const Image& image : images) Destroy(image);
  Close();
}
