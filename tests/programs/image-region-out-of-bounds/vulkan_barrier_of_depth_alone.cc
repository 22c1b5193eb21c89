// Defect: A barrier changes the layout of the depth of an image that has stencil, too, without the
// feature separateDepthStencilLayouts.
// Fix: The barrier names both aspects.
// EXPECT error image-region-out-of-bounds vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-VkImageMemoryBarrier-image-03320
#include "common/vulkan.h"

int main() {
  Open();
  VkFormat format = VK_FORMAT_D32_SFLOAT_S8_UINT;
  VkFormatProperties properties;
  vkGetPhysicalDeviceFormatProperties(physical, format, &properties);
  if (properties.optimalTilingFeatures == 0) format = VK_FORMAT_D24_UNORM_S8_UINT;
  VkImageCreateInfo info = ImageInfo(16, 16, format);
  info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  const Image image = MakeImage(info);
  VkImageMemoryBarrier barrier = ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                                              VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, 0,
                                              VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT);
  barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
#ifndef DEFECT
  barrier.subresourceRange.aspectMask |= VK_IMAGE_ASPECT_STENCIL_BIT;
#endif
  Begin();
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  Run();
  Close(image);
}
