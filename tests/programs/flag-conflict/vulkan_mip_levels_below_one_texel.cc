// Defect: An image of 64x16 texels has a mip level more than the 7 down to one texel.
// Fix: It has 7.
// EXPECT error flag-conflict vkCreateImage at CREATE
// EXPECT-FACT vuid=VUID-VkImageCreateInfo-mipLevels-00958
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
#ifdef DEFECT
  const uint32_t mips = 8;
#else
  const uint32_t mips = 7;
#endif
  const VkImageCreateInfo info = ImageInfo(64, 16, VK_FORMAT_R8G8B8A8_UNORM, mips);
  VkImage image;
  // @CREATE
  OK(vkCreateImage(device, &info, nullptr, &image));
  Close(image);
}
