// Defect: Barriers name a mip level that the image does not have, and depth without stencil.
// Fix: The barrier names the levels and the aspects of the image.
#include "common/vulkan.h"

// Defect: The loop that makes mip levels readable goes on to a level that the image does not have.
// Fix: The loop ends at the last level.
// EXPECT error image-region-out-of-bounds vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-VkImageMemoryBarrier-subresourceRange-01486
static void BarrierOfALevelTooMany() {
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
  Destroy(image);
}

// Defect: A barrier changes the layout of the depth of an image that has stencil, too, without the
// feature separateDepthStencilLayouts.
// Fix: The barrier names both aspects.
// EXPECT error image-region-out-of-bounds vkCmdPipelineBarrier at BARRIER_2
// EXPECT-FACT vuid=VUID-VkImageMemoryBarrier-image-03320
static void BarrierOfDepthAlone() {
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
  // @BARRIER_2
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  Run();
  Destroy(image);
}

int main() {
  Open();
  BarrierOfALevelTooMany();
  BarrierOfDepthAlone();
  Close();
}
