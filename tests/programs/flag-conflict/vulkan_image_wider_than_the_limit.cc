// Defect: Creates an image that is one texel wider than the device allows.
// Fix: The image has the largest width.
// EXPECT error flag-conflict vkCreateImage at CREATE
// EXPECT-FACT vuid=VUID-VkImageCreateInfo-extent-02252
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkImageCreateInfo info = ImageInfo(1, 1);
  VkImageFormatProperties most;
  OK(vkGetPhysicalDeviceImageFormatProperties(physical, info.format, info.imageType, info.tiling,
                                              info.usage, info.flags, &most));
#ifdef DEFECT
  info.extent.width = most.maxExtent.width + 1;
#else
  info.extent.width = most.maxExtent.width;
#endif
  VkImage image;
  // @CREATE
  OK(vkCreateImage(device, &info, nullptr, &image));
  Close(image);
}
