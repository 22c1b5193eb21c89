// Defect: A view of a depth image names the color aspect.
// Fix: It names the depth aspect.
// EXPECT error image-region-out-of-bounds vkCreateImageView at VIEW
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-subresourceRange-09594
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkImageCreateInfo image_info = ImageInfo(16, 16, VK_FORMAT_D32_SFLOAT);
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  const Image image = MakeImage(image_info);
  VkImageViewCreateInfo info = ViewInfo(image.handle, VK_FORMAT_D32_SFLOAT);
#ifndef DEFECT
  info.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
#endif
  VkImageView view = VK_NULL_HANDLE;
  // @VIEW
  OK(vkCreateImageView(device, &info, nullptr, &view));
  Close(view, image);
}
