// Defect one_column_too_wide: Uploads a region that is one texel wider than the image.
// EXPECT error image-region-out-of-bounds vkCmdCopyBufferToImage at COPY
// Defect slice_named_as_a_layer: A copy names slice 1 of a 3D image as its layer 1.
// EXPECT error image-region-out-of-bounds vkCmdCopyBufferToImage at COPY_2
// EXPECT-FACT vuid=VUID-vkCmdCopyBufferToImage-dstImage-07983
// EXIT any
// Defect part_of_a_block: A copy writes 26 columns of an image whose texel blocks have four
// columns.
// EXPECT error image-region-out-of-bounds vkCmdCopyBufferToImage at COPY_3
// EXPECT-FACT vuid=VUID-vkCmdCopyBufferToImage-dstImage-00207
// EXPECT error image-region-out-of-bounds vkCmdCopyBufferToImage at EDGE
// EXPECT-FACT vuid=VUID-vkCmdCopyBufferToImage-dstImage-07274
// EXIT any
// Defect depth_and_stencil: One region of a copy names depth and stencil.
// EXPECT error image-region-out-of-bounds vkCmdCopyBufferToImage at COPY_4
// EXPECT-FACT vuid=VUID-VkBufferImageCopy-aspectMask-09103
// EXIT any
// Defect depth_as_color: An upload names the color aspect of a depth image.
// EXPECT error image-region-out-of-bounds vkCmdCopyBufferToImage at COPY_5
// EXPECT-FACT vuid=VUID-vkCmdCopyBufferToImage-imageSubresource-09105
// EXIT any
// Defect to_a_smaller_image_in_its_place: An image of 64 x 64 is destroyed. The next image, of 32 x
// 32, usually gets its handle, and is uploaded to with the width of the first one.
// EXPECT error image-region-out-of-bounds vkCmdCopyBufferToImage at COPY_6
// Fix: The region is inside of the image, and names one of its aspects and layers.
#include "common/vulkan.h"

// Fix: Uploads a region that is as wide as the image.
static void OneColumnTooWide() {
  const Buffer source = MakeStaging(65 * 64 * 4);
  const Image image = MakeImage(ImageInfo(64, 64));
  Begin();
  const VkImageMemoryBarrier to_copy =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_copy);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
#ifdef DEFECT_one_column_too_wide
  copy.imageExtent = {65, 64, 1};
#else
  copy.imageExtent = {64, 64, 1};
#endif
  copy.bufferRowLength = 0;
  // @COPY
  vkCmdCopyBufferToImage(commands, source.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  // It is not submitted: what the device would do is anybody's guess.
  OK(vkEndCommandBuffer(commands));
  Destroy(source, image);
}

// Fix: The offset names the slice.
static void SliceNamedAsALayer() {
  const Buffer staging = MakeStaging(16 * 16 * 4);
  VkImageCreateInfo info = ImageInfo(16, 16);
  info.imageType = VK_IMAGE_TYPE_3D;
  info.extent.depth = 4;
  const Image image = MakeImage(info);
  Begin();
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {16, 16, 1};
#ifdef DEFECT_slice_named_as_a_layer
  copy.imageSubresource.baseArrayLayer = 1;
#else
  copy.imageOffset.z = 1;
#endif
  // @COPY_2
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  OK(vkEndCommandBuffer(commands));
  Destroy(staging, image);
}

// Fix: It writes 28 columns, and another one the last columns up to the edge.
static void PartOfABlock() {
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
#ifdef DEFECT_part_of_a_block
  copy.imageExtent.width = 26;
#endif
  // @COPY_3
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  copy.imageOffset.x = 28;
#ifdef DEFECT_part_of_a_block
  copy.imageOffset.x = 26;
#endif
  copy.imageExtent.width = 30 - copy.imageOffset.x;
  // @EDGE
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  OK(vkEndCommandBuffer(commands));
  Destroy(staging, image);
}

// Fix: Each has a region of its own.
static void DepthAndStencil() {
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
#ifdef DEFECT_depth_and_stencil
  copies[0].imageSubresource.aspectMask = kBoth;
  count = 1;
#endif
  // @COPY_4
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, count, copies);
  OK(vkEndCommandBuffer(commands));
  Destroy(staging, image);
}

// Fix: It names the depth aspect.
static void DepthAsColor() {
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
#ifdef DEFECT_depth_as_color
  copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
#else
  copy.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1};
#endif
  copy.imageExtent = {16, 16, 1};
  Begin();
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
  // @COPY_5
  vkCmdCopyBufferToImage(commands, texels.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  // It is not submitted.
  OK(vkEndCommandBuffer(commands));
  Destroy(texels, image);
}

// Fix: The upload has the size of the image that has the handle now. Images of many shapes had the
// handle before. The last one is larger, has levels and layers, and is uploaded to as a whole.
static void ToASmallerImageInItsPlace() {
#ifdef DEFECT_to_a_smaller_image_in_its_place
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
  // @COPY_6
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
  Destroy(source, image);
}

int main() {
  Open();
  OneColumnTooWide();
  SliceNamedAsALayer();
  PartOfABlock();
  DepthAndStencil();
  DepthAsColor();
  ToASmallerImageInItsPlace();
  Close();
}
