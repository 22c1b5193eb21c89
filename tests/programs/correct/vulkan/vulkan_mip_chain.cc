// Makes a mip chain by blits, each level read from the one above it, and reads the whole of it
// back.
#include "common/vulkan.h"

static void Barrier(VkImage image, uint32_t mip, uint32_t mips, VkImageLayout from,
                    VkImageLayout to, VkAccessFlags source, VkAccessFlags target) {
  VkImageMemoryBarrier barrier = ImageBarrier(image, from, to, source, target);
  barrier.subresourceRange.baseMipLevel = mip;
  barrier.subresourceRange.levelCount = mips;
  vkCmdPipelineBarrier(
      commands, source == 0 ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : VK_PIPELINE_STAGE_TRANSFER_BIT,
      VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

int main() {
  Open();
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
  Close(staging, result, image);
}
