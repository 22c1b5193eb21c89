// Defect: Asks for the layout of the bytes of an image that was created with optimal tiling.
// Fix: The image has linear tiling.
// EXPECT error usage-missing vkGetImageSubresourceLayout at LAYOUT
// EXPECT-FACT vuid=VUID-vkGetImageSubresourceLayout-image-07790
#include "common/vulkan.h"

int main() {
  Open();
  VkImageCreateInfo info = ImageInfo(16, 16);
#ifndef DEFECT
  info.tiling = VK_IMAGE_TILING_LINEAR;
#endif
  const Image image = MakeImage(info);
  const VkImageSubresource first = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
  VkSubresourceLayout layout;
  // @LAYOUT
  vkGetImageSubresourceLayout(device, image.handle, &first, &layout);
  Close(image);
}
