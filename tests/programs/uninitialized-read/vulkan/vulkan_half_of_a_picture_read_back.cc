// Defect: Two of the four tiles of a picture are uploaded before all of it is read back.
// Fix: All four are.
// EXPECT warning uninitialized-read vkCmdCopyImageToBuffer at COPY
#include "common/vulkan.h"

int main() {
  Open();
  constexpr uint32_t kSize = 64, kTile = 32;
  const Buffer staging = MakeStaging(kTile * kTile * 4);
  const Buffer target = MakeBuffer(kSize * kSize * 4);
  const Image image = MakeImage(ImageInfo(kSize, kSize));
  Begin();
  const VkImageMemoryBarrier to_upload =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_upload);
  VkBufferImageCopy tiles[4] = {};
  for (int i = 0; i < 4; ++i) {
    tiles[i].imageSubresource = kFirst;
    tiles[i].imageOffset = {i % 2 * int{kTile}, i / 2 * int{kTile}, 0};
    tiles[i].imageExtent = {kTile, kTile, 1};
  }
  uint32_t count = 4;
#ifdef DEFECT
  count = 2;
#endif
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, count, tiles);
  const VkImageMemoryBarrier to_copy = ImageBarrier(
      image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &to_copy);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {kSize, kSize, 1};
  // @COPY
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         target.handle, 1, &copy);
  Run();
  Close(image, staging, target);
}
