// Defect: A copy writes 26 columns of an image whose texel blocks have four columns.
// Fix: It writes 28 columns, and another one the last columns up to the edge.
// EXPECT error image-region-out-of-bounds vkCmdCopyBufferToImage at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyBufferToImage-dstImage-00207
// EXPECT error image-region-out-of-bounds vkCmdCopyBufferToImage at EDGE
// EXPECT-FACT vuid=VUID-vkCmdCopyBufferToImage-dstImage-07274
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkFormatProperties properties;
  vkGetPhysicalDeviceFormatProperties(physical, VK_FORMAT_BC1_RGBA_UNORM_BLOCK, &properties);
  NEEDS((properties.optimalTilingFeatures & VK_FORMAT_FEATURE_TRANSFER_DST_BIT) != 0);
  const Buffer staging = MakeStaging(4096);
  const Image image = MakeImage(ImageInfo(30, 18, VK_FORMAT_BC1_RGBA_UNORM_BLOCK));
  Begin();
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {28, 18, 1};
#ifdef DEFECT
  copy.imageExtent.width = 26;
#endif
  // @COPY
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  copy.imageOffset.x = 28;
#ifdef DEFECT
  copy.imageOffset.x = 26;
#endif
  copy.imageExtent.width = 30 - copy.imageOffset.x;
  // @EDGE
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  OK(vkEndCommandBuffer(commands));
  Close(staging, image);
}
