// Defect: A depth image is cleared as a color, and a color image as depth.
// Fix: Each image is cleared by the command for its format.
// EXPECT error usage-missing vkCmdClearColorImage at COLOR
// EXPECT-FACT vuid=VUID-vkCmdClearColorImage-image-00007
// EXPECT error usage-missing vkCmdClearDepthStencilImage at DEPTH
// EXPECT-FACT vuid=VUID-vkCmdClearDepthStencilImage-image-00014
#include "common/vulkan.h"

int main() {
  Open();
  const Image color = MakeImage(ImageInfo(16, 16));
  const Image depth = MakeImage(ImageInfo(16, 16, VK_FORMAT_D32_SFLOAT));
  VkImageSubresourceRange depth_range = kWhole;
  depth_range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  Image first = color, second = depth;
#ifdef DEFECT
  first = depth;
  second = color;
#endif
  VkImageMemoryBarrier barriers[2];
  for (int i = 0; i < 2; ++i) {
    barriers[i] =
        ImageBarrier((i == 0 ? color : depth).handle, VK_IMAGE_LAYOUT_UNDEFINED,
                     VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  }
  barriers[1].subresourceRange = depth_range;
  Begin();
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 2, barriers);
  const VkClearColorValue black = {};
  const VkClearDepthStencilValue far = {1, 0};
  // @COLOR
  vkCmdClearColorImage(commands, first.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1,
                       &kWhole);
  // @DEPTH
  vkCmdClearDepthStencilImage(commands, second.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &far,
                              1, &depth_range);
#ifndef DEFECT
  Run();
#endif
  Close(color, depth);
}
