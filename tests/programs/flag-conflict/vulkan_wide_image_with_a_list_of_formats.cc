// Defect: An image with a list of view formats is wider than the device allows.
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
  VkImageFormatListCreateInfo list = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO};
  list.viewFormatCount = 1;
  list.pViewFormats = &info.format;
  info.pNext = &list;
  info.extent.width = most.maxExtent.width;
#ifdef DEFECT
  ++info.extent.width;
#endif
  VkImage image;
  // @CREATE
  OK(vkCreateImage(device, &info, nullptr, &image));
  Close(image);
}
