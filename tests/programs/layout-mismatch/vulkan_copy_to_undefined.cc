// Defect: Copies into an image that is still in the layout in which it was created, and names that
// layout.
// Fix: A barrier changes the image to the layout for copies first.
// EXPECT error layout-mismatch vkCmdCopyBufferToImage at COPY
// EXPECT-FACT expected_layout=VK_IMAGE_LAYOUT_UNDEFINED
// EXPECT-FACT vuid=VUID-vkCmdCopyBufferToImage-dstImageLayout-01396
// MAY missing-barrier
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer staging = MakeStaging(64 * 64 * 4);
  const Image image = MakeImage(ImageInfo(64, 64));
  VkBufferImageCopy all = {};
  all.imageSubresource = kFirst;
  all.imageExtent = {64, 64, 1};
  Begin();
#ifdef DEFECT
  // @COPY
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle, VK_IMAGE_LAYOUT_UNDEFINED, 1,
                         &all);
#else
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &all);
#endif
  Run();
  Close(staging, image);
}
