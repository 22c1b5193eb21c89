// Defect: A depth buffer has a format of colors.
// Fix: It has a format of depths.
// EXPECT error flag-conflict vkCreateImage at CREATE
// EXPECT-FACT vuid=VUID-VkImageCreateInfo-imageCreateMaxMipLevels-02251
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
#ifdef DEFECT
  VkImageCreateInfo info = ImageInfo(16, 16, VK_FORMAT_R8G8B8A8_UNORM);
#else
  VkImageCreateInfo info = ImageInfo(16, 16, VK_FORMAT_D16_UNORM);
#endif
  info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  VkImage image;
  // @CREATE
  OK(vkCreateImage(device, &info, nullptr, &image));
  Close(image);
}
