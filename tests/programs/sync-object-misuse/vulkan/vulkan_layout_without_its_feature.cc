// Defect: A barrier changes an image to VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL, on a device without the
// feature synchronization2.
// Fix: The barrier changes the image to VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-VkImageMemoryBarrier-synchronization2-07794
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkImageCreateInfo info = ImageInfo(16, 16);
  info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  const Image image = MakeImage(info);
  VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
#ifdef DEFECT
  layout = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL;
#endif
  Begin();
  const VkImageMemoryBarrier barrier = ImageBarrier(
      image.handle, VK_IMAGE_LAYOUT_UNDEFINED, layout, 0, VK_ACCESS_SHADER_READ_BIT);
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  OK(vkEndCommandBuffer(commands));
  Close(image);
}
