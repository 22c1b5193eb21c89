// Defect: One region of a copy names depth and stencil.
// Fix: Each has a region of its own.
// EXPECT error image-region-out-of-bounds vkCmdCopyBufferToImage at COPY
// EXPECT-FACT vuid=VUID-VkBufferImageCopy-aspectMask-09103
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkFormatProperties properties;
  vkGetPhysicalDeviceFormatProperties(physical, VK_FORMAT_D32_SFLOAT_S8_UINT, &properties);
  NEEDS((properties.optimalTilingFeatures & VK_FORMAT_FEATURE_TRANSFER_DST_BIT) != 0);
  const Buffer staging = MakeStaging(64 * 64 * 8);
  const Image image = MakeImage(ImageInfo(64, 64, VK_FORMAT_D32_SFLOAT_S8_UINT));
  Begin();
  VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  constexpr VkImageAspectFlags kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  barrier.subresourceRange.aspectMask = kBoth;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
  VkBufferImageCopy copies[2] = {};
  copies[0].imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1};
  copies[0].imageExtent = {64, 64, 1};
  copies[1] = copies[0];
  copies[1].bufferOffset = 64 * 64 * 4;
  copies[1].imageSubresource.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
  uint32_t count = 2;
#ifdef DEFECT
  copies[0].imageSubresource.aspectMask = kBoth;
  count = 1;
#endif
  // @COPY
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, count, copies);
  OK(vkEndCommandBuffer(commands));
  Close(staging, image);
}
