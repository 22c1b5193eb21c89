// Defect: Copies the depth aspect of an image with depth and stencil to a buffer as if the image were in the layout for
// reading, in which it is not.
// Fix: A barrier of both aspects changes the layout.
// EXPECT error layout-mismatch vkCmdCopyImageToBuffer at READ
// EXPECT-PARTY layout at BARRIER
// EXPECT-FACT expected_layout=VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL
// EXPECT-FACT actual_layout=VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
#include "common/vulkan_barriers.h"
#include "common/vulkan_depth.h"

int main() {
  Open();
  const Image image = MakeImage(ImageInfo(16, 16, kDepthFormat));
  const Buffer result = MakeStaging(16 * 16 * 4, 0);
  VkBufferImageCopy depth = {};
  depth.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1};
  depth.imageExtent = {16, 16, 1};
  VkImageSubresourceRange both = kWhole;
  both.aspectMask = kDepthAspects;
  const VkClearDepthStencilValue clear = {1, 0};
  Begin();
  const VkImageMemoryBarrier to_clear =
      DepthBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_clear);
  vkCmdClearDepthStencilImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &clear,
                              1, &both);
#ifdef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#else
  const VkImageMemoryBarrier to_read = DepthBarrier(
      image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &to_read);
#endif
  // @READ
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         result.handle, 1, &depth);
  Run();
  Close(result, image);
}
