// Defect of_a_format_that_the_device_lacks: A depth buffer has a format of colors.
// EXPECT error flag-conflict vkCreateImage at CREATE
// EXPECT-FACT vuid=VUID-VkImageCreateInfo-imageCreateMaxMipLevels-02251
// Defect transient_and_copied: The depth buffer is a transient image, and is to be copied from as
// well.
// EXPECT error flag-conflict vkCreateImage at CREATE
// EXPECT-FACT vuid=VUID-VkImageCreateInfo-usage-00963
// Defect wider_than_the_limit: The image is one texel wider than the device allows.
// EXPECT error flag-conflict vkCreateImage at CREATE
// EXPECT-FACT vuid=VUID-VkImageCreateInfo-extent-02252
// Defect with_levels_below_one_texel: An image of 64x16 texels has a mip level more than the 7 down
// to one texel.
// EXPECT error flag-conflict vkCreateImage at CREATE
// EXPECT-FACT vuid=VUID-VkImageCreateInfo-mipLevels-00958
// Defect wide_with_a_list_of_formats: An image with a list of view formats is wider than the device
// allows.
// EXPECT error flag-conflict vkCreateImage at CREATE_2
// EXPECT-FACT vuid=VUID-VkImageCreateInfo-extent-02252
// Fix: The format, the usage and the size of the image fit each other and the device.
// EXIT any
#include "common/vulkan.h"

// Fix: The depth buffer has a format of depths, a width that the device allows, 7 levels, and no
// usage as a transient image.
static void Images() {
  VkImageCreateInfo info = ImageInfo(64, 16, VK_FORMAT_D16_UNORM, 7);
  info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  VkImageFormatProperties most;
  OK(vkGetPhysicalDeviceImageFormatProperties(physical, info.format, info.imageType, info.tiling,
                                              info.usage, info.flags, &most));
#ifdef DEFECT_of_a_format_that_the_device_lacks
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
#elif defined(DEFECT_transient_and_copied)
  info.usage |= VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
#elif defined(DEFECT_wider_than_the_limit)
  info.extent.width = most.maxExtent.width + 1;
#elif defined(DEFECT_with_levels_below_one_texel)
  info.mipLevels = 8;
#endif
  VkImage image;
  // @CREATE
  OK(vkCreateImage(device, &info, nullptr, &image));
  Destroy(image);
}

// Fix: The image has the largest width.
static void WideWithAListOfFormats() {
  VkImageCreateInfo info = ImageInfo(1, 1);
  VkImageFormatProperties most;
  OK(vkGetPhysicalDeviceImageFormatProperties(physical, info.format, info.imageType, info.tiling,
                                              info.usage, info.flags, &most));
  VkImageFormatListCreateInfo list = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO};
  list.viewFormatCount = 1;
  list.pViewFormats = &info.format;
  info.pNext = &list;
  info.extent.width = most.maxExtent.width;
#ifdef DEFECT_wide_with_a_list_of_formats
  ++info.extent.width;
#endif
  VkImage image;
  // @CREATE_2
  OK(vkCreateImage(device, &info, nullptr, &image));
  Destroy(image);
}

int main() {
  Open();
  Images();
  WideWithAListOfFormats();
  Close();
}
