// Defect: A view is created of an image that was created for copies only.
// Fix: The image is created for shaders, too.
// EXPECT error usage-missing vkCreateImageView at VIEW
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-image-04441
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkImageCreateInfo image_info = ImageInfo(16, 16);
#ifndef DEFECT
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
#endif
  const Image image = MakeImage(image_info);
  const VkImageViewCreateInfo info = ViewInfo(image.handle);
  VkImageView view;
  // @VIEW
  OK(vkCreateImageView(device, &info, nullptr, &view));
  Close(view, image);
}
