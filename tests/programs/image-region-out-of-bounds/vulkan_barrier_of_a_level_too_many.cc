// Defect: The loop that makes mip levels readable goes on to a level that the image does not have.
// Fix: The loop ends at the last level.
// EXPECT error image-region-out-of-bounds vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-VkImageMemoryBarrier-subresourceRange-01486
#include "common/vulkan.h"

int main() {
  Open();
  constexpr uint32_t kMips = 3;
  const Image image = MakeImage(ImageInfo(16, 16, VK_FORMAT_R8G8B8A8_UNORM, kMips));
  uint32_t end = kMips;
#ifdef DEFECT
  ++end;
#endif
  Begin();
  for (uint32_t mip = 0; mip < end; ++mip) {
    VkImageMemoryBarrier barrier =
        ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                     0, VK_ACCESS_TRANSFER_WRITE_BIT);
    barrier.subresourceRange.baseMipLevel = mip;
    // @BARRIER
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
  }
  OK(vkEndCommandBuffer(commands));
  Close(image);
}
