// Defect: A view shows four mip levels of an image that has three.
// Fix: It shows the levels of the image.
// EXPECT error image-region-out-of-bounds vkCreateImageView at VIEW
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-subresourceRange-01718
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkImageCreateInfo image_info = ImageInfo(16, 16, VK_FORMAT_R8G8B8A8_UNORM, 3);
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  const Image image = MakeImage(image_info);
  VkImageViewCreateInfo info = ViewInfo(image.handle);
  info.subresourceRange.levelCount = 3;
#ifdef DEFECT
  info.subresourceRange.levelCount = 4;
#endif
  VkImageView view = VK_NULL_HANDLE;
  // @VIEW
  OK(vkCreateImageView(device, &info, nullptr, &view));
  Close(view, image);
}
