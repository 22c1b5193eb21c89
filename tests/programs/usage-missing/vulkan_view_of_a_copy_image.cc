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
  VkImageViewCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  info.image = image.handle;
  info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.subresourceRange = kWhole;
  VkImageView view;
  // @VIEW
  OK(vkCreateImageView(device, &info, nullptr, &view));
  vkDestroyImageView(device, view, nullptr);
  Destroy(image);
  Close();
}
