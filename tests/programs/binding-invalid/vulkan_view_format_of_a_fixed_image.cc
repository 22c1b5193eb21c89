// Defect: A view has another format than its image, which does not allow it.
// Fix: The image is created with VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT.
// EXPECT error binding-invalid vkCreateImageView at VIEW
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-image-01762
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkImageCreateInfo image_info = ImageInfo(16, 16);
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
#ifndef DEFECT
  image_info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
#endif
  const Image image = MakeImage(image_info);
  const VkImageViewCreateInfo info = ViewInfo(image.handle, VK_FORMAT_R8G8B8A8_SRGB);
  VkImageView view;
  // @VIEW
  OK(vkCreateImageView(device, &info, nullptr, &view));
  Close(view, image);
}
