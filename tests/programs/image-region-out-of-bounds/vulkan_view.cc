// Defect of_a_depth_image_as_color: A view of a depth image names the color aspect.
// EXPECT error image-region-out-of-bounds vkCreateImageView at VIEW
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-subresourceRange-09594
// Defect of_a_level_too_many: A view shows four mip levels of an image that has three.
// EXPECT error image-region-out-of-bounds vkCreateImageView at VIEW
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-subresourceRange-01718
// Fix: It names the depth aspect, and shows the levels of the image.
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkImageCreateInfo image_info = ImageInfo(16, 16, VK_FORMAT_D32_SFLOAT, 3);
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  const Image image = MakeImage(image_info);
  VkImageViewCreateInfo info = ViewInfo(image.handle, VK_FORMAT_D32_SFLOAT);
  info.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  info.subresourceRange.levelCount = 3;
#ifdef DEFECT_of_a_depth_image_as_color
  info.subresourceRange.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
#elif defined(DEFECT_of_a_level_too_many)
  info.subresourceRange.levelCount = 4;
#endif
  VkImageView view = VK_NULL_HANDLE;
  // @VIEW
  OK(vkCreateImageView(device, &info, nullptr, &view));
  Close(view, image);
}
