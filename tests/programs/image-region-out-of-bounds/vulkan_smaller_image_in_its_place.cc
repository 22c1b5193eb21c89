// Defect: An image of 64 x 64 is destroyed. The next image, of 32 x 32, usually gets its handle,
// and is uploaded to with the width of the first one.
// Fix: The upload has the size of the image that has the handle now. Images of many shapes had the
// handle before. The last one is larger, has levels and layers, and is uploaded to as a whole.
// EXPECT error image-region-out-of-bounds vkCmdCopyBufferToImage at COPY
#include "common/vulkan.h"

int main() {
  Open();
#ifdef DEFECT
  const Buffer source = MakeStaging(64 * 64 * 4);
  Destroy(MakeImage(ImageInfo(64, 64)));
  const Image image = MakeImage(ImageInfo(32, 32));
  Begin();
  const VkImageMemoryBarrier to_copy =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_copy);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {64, 32, 1};
  // @COPY
  vkCmdCopyBufferToImage(commands, source.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  // It is not submitted: what the device would do is anybody's guess.
  OK(vkEndCommandBuffer(commands));
#else
  constexpr uint32_t kMips = 3, kLayers = 2;
  const Buffer source = MakeStaging(64 * 64 * 4 * kLayers);
  VkImageCreateInfo line = ImageInfo(16, 1);
  line.imageType = VK_IMAGE_TYPE_1D;
  VkImageCreateInfo linear = ImageInfo(16, 16);
  linear.tiling = VK_IMAGE_TILING_LINEAR;
  linear.initialLayout = VK_IMAGE_LAYOUT_PREINITIALIZED;
  Destroy(MakeImage(ImageInfo(32, 32)));
  Destroy(MakeImage(ImageInfo(32, 32, VK_FORMAT_R8_UNORM)));
  Destroy(MakeImage(line));
  Destroy(MakeImage(linear));
  const Image image = MakeImage(ImageInfo(64, 64, VK_FORMAT_R8G8B8A8_UNORM, kMips, kLayers));
  Begin();
  VkImageMemoryBarrier to_copy =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  to_copy.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, kMips, 0, kLayers};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_copy);
  VkBufferImageCopy copies[kMips] = {};
  for (uint32_t mip = 0; mip < kMips; ++mip) {
    copies[mip].imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, mip, 0, kLayers};
    copies[mip].imageExtent = {64u >> mip, 64u >> mip, 1};
  }
  vkCmdCopyBufferToImage(commands, source.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kMips, copies);
  Run();
#endif
  Close(source, image);
}
