// Defect: An upload names the color aspect of a depth image.
// Fix: It names the depth aspect.
// EXPECT error image-region-out-of-bounds vkCmdCopyBufferToImage at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyBufferToImage-imageSubresource-09105
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  constexpr VkFormat kDepth = VK_FORMAT_D16_UNORM;
  VkFormatProperties properties;
  vkGetPhysicalDeviceFormatProperties(physical, kDepth, &properties);
  NEEDS((properties.optimalTilingFeatures & VK_FORMAT_FEATURE_TRANSFER_DST_BIT) != 0);
  const Image image = MakeImage(ImageInfo(16, 16, kDepth));
  const Buffer texels = MakeStaging(512);
  VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  VkBufferImageCopy copy = {};
#ifdef DEFECT
  copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
#else
  copy.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1};
#endif
  copy.imageExtent = {16, 16, 1};
  Begin();
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
  // @COPY
  vkCmdCopyBufferToImage(commands, texels.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  // It is not submitted.
  OK(vkEndCommandBuffer(commands));
  Close(texels, image);
}
