// Defect: Uploads an image and reads it back as if it were in the layout for reading, in which it
// is not.
// Fix: The barrier between upload and download changes the layout, too.
// EXPECT error layout-mismatch vkCmdCopyImageToBuffer at READ
// EXPECT-PARTY layout at BARRIER
// EXPECT-FACT expected_layout=VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL
// EXPECT-FACT actual_layout=VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
// EXPECT-FACT vuid=VUID-vkCmdCopyImageToBuffer-srcImageLayout-00189
#include "common/vulkan_barriers.h"

int main() {
  Open();
  const Buffer staging = MakeStaging(64 * 64 * 4), result = MakeStaging(64 * 64 * 4, 0);
  const Image image = MakeImage(ImageInfo(64, 64));
  VkBufferImageCopy all = {};
  all.imageSubresource = kFirst;
  all.imageExtent = {64, 64, 1};
  Begin();
  const VkImageMemoryBarrier to_write =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_write);
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &all);
#ifdef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#else
  const VkImageMemoryBarrier to_read = ImageBarrier(
      image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &to_read);
#endif
  // @READ
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         result.handle, 1, &all);
  Run();
  Close(staging, result, image);
}
