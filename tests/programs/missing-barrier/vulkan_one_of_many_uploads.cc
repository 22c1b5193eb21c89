// Defect: A loop uploads four versions of an image, with a barrier before each copy. The last
// barrier names another image.
// Fix: All barriers name the image of the copies.
// EXPECT error missing-barrier vkCmdCopyBufferToImage at COPY
// EXPECT-PARTY earlier-access at COPY
// EXPECT-FACT hazard=WAW
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer source = MakeStaging(4096);
  const Image images[] = {MakeImage(ImageInfo(16, 16)), MakeImage(ImageInfo(16, 16))};
  Begin();
  for (const Image& image : images) {
    const VkImageMemoryBarrier general =
        ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                     VK_ACCESS_TRANSFER_WRITE_BIT);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 0, nullptr, 0, nullptr, 1, &general);
  }
  for (int i = 0; i < 4; ++i) {
    VkImageMemoryBarrier barrier =
        ImageBarrier(images[0].handle, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL,
                     VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
#ifdef DEFECT
    if (i == 3) barrier.image = images[1].handle;
#endif
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 0, nullptr, 0, nullptr, 1, &barrier);
    VkBufferImageCopy copy = {};
    copy.bufferOffset = static_cast<VkDeviceSize>(i) * 1024;
    copy.imageSubresource = kFirst;
    copy.imageExtent = {16, 16, 1};
    // @COPY
    vkCmdCopyBufferToImage(commands, source.handle, images[0].handle, VK_IMAGE_LAYOUT_GENERAL, 1,
                           &copy);
  }
  Run();
  for (const Image& image : images) Destroy(image);
  Close(source);
}
