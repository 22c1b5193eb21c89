// Defect: Clears mip levels 1 and 2 of an image with two levels.
// Fix: Clears the levels from level 1 on.
// EXPECT error image-region-out-of-bounds vkCmdClearColorImage at CLEAR
// EXPECT-FACT vuid=VUID-vkCmdClearColorImage-pRanges-01692
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkImageCreateInfo info = ImageInfo(64, 64);
  info.mipLevels = 2;
  const Image image = MakeImage(info);
  VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 1, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
#ifdef DEFECT
  range.levelCount = 2;
#endif
  const VkClearColorValue color = {};
  Begin();
  VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  barrier.subresourceRange.levelCount = VK_REMAINING_MIP_LEVELS;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0,
                       nullptr, 1, &barrier);
  // @CLEAR
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1, &range);
#ifndef DEFECT
  Run();
#endif
  Close(image);
}
