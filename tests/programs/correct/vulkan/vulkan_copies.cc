// Copies within one resource, and between images of odd sizes and formats.
#include "common/vulkan.h"

// Copies within one buffer and within one image whose regions touch, but do not overlap: adjacent blocks, two regions
// with the same source, the halves of an image, and its mip levels.
static void Order(VkImage image, VkImageLayout from, VkAccessFlags source) {
  VkImageMemoryBarrier barrier = ImageBarrier(image, from, VK_IMAGE_LAYOUT_GENERAL, source,
                                              VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  barrier.subresourceRange.levelCount = 2;
  vkCmdPipelineBarrier(commands,
                       source == 0 ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

static void CopiesWithinOneResource() {
  const Buffer buffer = MakeStaging(8192);
  const Image image = MakeImage(ImageInfo(64, 64, VK_FORMAT_R8G8B8A8_UNORM, 2));
  Begin();
  const VkBufferCopy regions[] = {{0, 1024, 1024}, {0, 4096, 1024}, {2048, 5120, 1024}};
  vkCmdCopyBuffer(commands, buffer.handle, buffer.handle, 3, regions);
  Order(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, 0);
  const VkClearColorValue color = {};
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &kWhole);
  Order(image.handle, VK_IMAGE_LAYOUT_GENERAL, VK_ACCESS_TRANSFER_WRITE_BIT);
  VkImageCopy halves = {};
  halves.srcSubresource = halves.dstSubresource = kFirst;
  halves.extent = {32, 64, 1};
  halves.dstOffset = {32, 0, 0};
  vkCmdCopyImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &halves);
  Order(image.handle, VK_IMAGE_LAYOUT_GENERAL, VK_ACCESS_TRANSFER_WRITE_BIT);
  VkImageBlit smaller = {};
  smaller.srcSubresource = kFirst;
  smaller.srcOffsets[1] = {64, 64, 1};
  smaller.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 0, 1};
  smaller.dstOffsets[1] = {32, 32, 1};
  vkCmdBlitImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &smaller,
                 VK_FILTER_LINEAR);
  Run();
  Destroy(image, buffer);
}

// Copies of mip levels smaller than a block, of slices and layers into each other, of depth and of
// stencil alone, and between formats whose blocks and texels are of one size.
static void CmdMove(VkImage image, VkImageAspectFlags aspects, VkImageLayout from, VkImageLayout to) {
  VkImageMemoryBarrier barrier =
      ImageBarrier(image, from, to, VK_ACCESS_TRANSFER_WRITE_BIT,
                   VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  barrier.subresourceRange = {aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
}
static void CmdMove(VkImage image, VkImageLayout from, VkImageLayout to) {
  CmdMove(image, VK_IMAGE_ASPECT_COLOR_BIT, from, to);
}

static bool Takes(VkFormat format, VkFormatFeatureFlags features) {
  VkFormatProperties properties;
  vkGetPhysicalDeviceFormatProperties(physical, format, &properties);
  return (properties.optimalTilingFeatures & features) == features;
}

static void CopiesOfOddImages() {
  constexpr VkImageLayout kTo = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                          kFrom = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  const Buffer source = MakeStaging(64 * 1024), target = MakeBuffer(64 * 1024);
  std::vector<Image> images;

  // 13x7 texels in blocks of 4x4: levels of 13x7, 6x3, 3x1 and 1x1.
  constexpr VkFormat kBlocks = VK_FORMAT_BC1_RGBA_UNORM_BLOCK;
  if (Takes(kBlocks, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT)) {
    const Image blocks = MakeImage(ImageInfo(13, 7, kBlocks, 4));
    // 8 bytes a block: one texel of that size each.
    const Image texels = MakeImage(ImageInfo(4, 2, VK_FORMAT_R16G16B16A16_UINT));
    images.push_back(blocks);
    images.push_back(texels);
    Begin();
    CmdMove(blocks.handle, VK_IMAGE_LAYOUT_UNDEFINED, kTo);
    CmdMove(texels.handle, VK_IMAGE_LAYOUT_UNDEFINED, kTo);
    VkBufferImageCopy levels[4] = {};
    for (uint32_t i = 0; i < 4; ++i) {
      levels[i].bufferOffset = 256 * i;
      levels[i].imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, i, 0, 1};
      levels[i].imageExtent = {13u >> i, std::max(7u >> i, 1u), 1};
    }
    vkCmdCopyBufferToImage(commands, source.handle, blocks.handle, kTo, 4, levels);
    CmdMove(blocks.handle, kTo, kFrom);
    vkCmdCopyImageToBuffer(commands, blocks.handle, kFrom, target.handle, 4, levels);
    VkImageCopy copy = {};
    copy.srcSubresource = copy.dstSubresource = kFirst;
    copy.extent = {13, 7, 1};  // of the source, in its texels
    vkCmdCopyImage(commands, blocks.handle, kFrom, texels.handle, kTo, 1, &copy);
    Run();
  }

  // Slices of a volume become layers, and the reverse.
  {
    VkImageCreateInfo volume_info = ImageInfo(8, 8);
    volume_info.imageType = VK_IMAGE_TYPE_3D;
    volume_info.extent.depth = 4;
    const Image volume = MakeImage(volume_info);
    const Image layers = MakeImage(ImageInfo(8, 8, VK_FORMAT_R8G8B8A8_UNORM, 1, 4));
    images.push_back(volume);
    images.push_back(layers);
    Begin();
    CmdMove(volume.handle, VK_IMAGE_LAYOUT_UNDEFINED, kTo);
    CmdMove(layers.handle, VK_IMAGE_LAYOUT_UNDEFINED, kTo);
    VkBufferImageCopy all = {};
    all.imageSubresource = kFirst;
    all.imageExtent = {8, 8, 4};
    vkCmdCopyBufferToImage(commands, source.handle, volume.handle, kTo, 1, &all);
    CmdMove(volume.handle, kTo, kFrom);
    VkImageCopy slices = {};
    slices.srcSubresource = kFirst;
    slices.srcOffset = {0, 0, 1};
    slices.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 3};
    slices.extent = {8, 8, 3};
    vkCmdCopyImage(commands, volume.handle, kFrom, layers.handle, kTo, 1, &slices);
    slices.srcOffset = {};
    slices.dstSubresource = kFirst;
    slices.extent.depth = 1;
    vkCmdCopyImage(commands, volume.handle, kFrom, layers.handle, kTo, 1, &slices);
    CmdMove(layers.handle, kTo, kFrom);
    CmdMove(volume.handle, kFrom, kTo);
    slices = {};
    slices.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 2, 2};
    slices.dstSubresource = kFirst;
    slices.dstOffset = {0, 0, 2};
    slices.extent = {8, 8, 2};
    vkCmdCopyImage(commands, layers.handle, kFrom, volume.handle, kTo, 1, &slices);
    Run();
  }

  // Depth and stencil, each by itself; of 24 bits of depth a buffer holds 4 bytes.
  for (VkFormat format : {VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT}) {
    if (!Takes(format, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT |
                           VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT))
      continue;
    const Image image = MakeImage(ImageInfo(8, 8, format));
    images.push_back(image);
    constexpr VkImageAspectFlags kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    Begin();
    CmdMove(image.handle, kBoth, VK_IMAGE_LAYOUT_UNDEFINED, kTo);
    VkBufferImageCopy regions[2] = {};
    for (int i = 0; i < 2; ++i) {
      regions[i].imageSubresource = kFirst;
      regions[i].imageSubresource.aspectMask =
          i == 0 ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_STENCIL_BIT;
      regions[i].imageExtent = {8, 8, 1};
      regions[i].bufferOffset = 4096 * i;
    }
    const VkClearDepthStencilValue clear = {0.5f, 3};
    const VkImageSubresourceRange range = {kBoth, 0, 1, 0, 1};
    vkCmdClearDepthStencilImage(commands, image.handle, kTo, &clear, 1, &range);
    CmdMove(image.handle, kBoth, kTo, kTo);
    vkCmdCopyBufferToImage(commands, source.handle, image.handle, kTo, 2, regions);
    CmdMove(image.handle, kBoth, kTo, kFrom);
    // 8 x 8 bytes of stencil at the end of the buffer.
    const Buffer small = MakeBuffer(8 * 8);
    vkCmdCopyImageToBuffer(commands, image.handle, kFrom, target.handle, 1, regions);
    regions[1].bufferOffset = 0;
    vkCmdCopyImageToBuffer(commands, image.handle, kFrom, small.handle, 1, &regions[1]);
    Run();
    Destroy(small);
  }

  // A region within an image onto another part of itself, in GENERAL.
  {
    const Image image = MakeImage(ImageInfo(16, 16));
    images.push_back(image);
    Begin();
    CmdMove(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    const VkClearColorValue red = {{1, 0, 0, 1}};
    vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, &red, 1, &kWhole);
    CmdMove(image.handle, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    VkImageCopy copy = {};
    copy.srcSubresource = copy.dstSubresource = kFirst;
    copy.dstOffset = {8, 8, 0};
    copy.extent = {8, 8, 1};
    vkCmdCopyImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, image.handle,
                   VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
    Run();
  }
  for (const Image& image : images) Destroy(image);
  Destroy(source, target);
}

// Makes a mip chain by blits, each level read from the one above it, and reads the whole of it
// back.
static void Barrier(VkImage image, uint32_t mip, uint32_t mips, VkImageLayout from,
                    VkImageLayout to, VkAccessFlags source, VkAccessFlags target) {
  VkImageMemoryBarrier barrier = ImageBarrier(image, from, to, source, target);
  barrier.subresourceRange.baseMipLevel = mip;
  barrier.subresourceRange.levelCount = mips;
  vkCmdPipelineBarrier(
      commands, source == 0 ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : VK_PIPELINE_STAGE_TRANSFER_BIT,
      VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

static void MipChain() {
  constexpr uint32_t kMips = 5, kSide = 64;
  const Buffer staging = MakeStaging(kSide * kSide * 4, 77);
  const Buffer result = MakeStaging(kSide * kSide * 4, 0);
  const Image image = MakeImage(ImageInfo(kSide, kSide, VK_FORMAT_R8G8B8A8_UNORM, kMips));
  Begin();
  Barrier(image.handle, 0, kMips, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
          0, VK_ACCESS_TRANSFER_WRITE_BIT);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {kSide, kSide, 1};
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  for (uint32_t mip = 1; mip < kMips; ++mip) {
    Barrier(image.handle, mip - 1, 1, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
            VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_ACCESS_TRANSFER_WRITE_BIT,
            VK_ACCESS_TRANSFER_READ_BIT);
    const int32_t side = static_cast<int32_t>(kSide >> (mip - 1));
    VkImageBlit blit = {};
    blit.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, mip - 1, 0, 1};
    blit.srcOffsets[1] = {side, side, 1};
    blit.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, mip, 0, 1};
    blit.dstOffsets[1] = {side / 2, side / 2, 1};
    vkCmdBlitImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, image.handle,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &blit, VK_FILTER_LINEAR);
  }
  Barrier(image.handle, kMips - 1, 1, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
          VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_ACCESS_TRANSFER_WRITE_BIT,
          VK_ACCESS_TRANSFER_READ_BIT);
  VkBufferImageCopy copies[kMips] = {};
  VkDeviceSize offset = 0;
  for (uint32_t mip = 0; mip < kMips; ++mip) {
    copies[mip].bufferOffset = offset;
    copies[mip].imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, mip, 0, 1};
    copies[mip].imageExtent = {kSide >> mip, kSide >> mip, 1};
    if (mip == 0) copies[mip].imageExtent = {kSide / 2, kSide / 2, 1};
    offset += VkDeviceSize{copies[mip].imageExtent.width} * copies[mip].imageExtent.height * 4;
  }
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         result.handle, kMips, copies);
  Run();
  Destroy(staging, result, image);
}

int main() {
  Open();
  CopiesWithinOneResource();
  CopiesOfOddImages();
  MipChain();
  Close();
}
