// Defect: An image is created with a list of the formats of its views, and viewed with another one.
// Fix: The list has the format.
// EXPECT error binding-invalid vkCreateImageView at VIEW
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-pNext-01585
// EXPECT-TEXT with VK_FORMAT_R32_UINT, which is not in the format list
#include "common/vulkan_sets.h"

int main() {
  Open();
  VkImageCreateInfo info = ImageInfo(16, 16);
  info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
  const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB,
                              VK_FORMAT_R32_UINT};
  VkImageFormatListCreateInfo list = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO};
  list.viewFormatCount = 3;
#ifdef DEFECT
  list.viewFormatCount = 2;
#endif
  list.pViewFormats = formats;
  info.pNext = &list;
  const Image image = MakeImage(info);
  const VkImageViewCreateInfo view_info = ViewInfo(image.handle, VK_FORMAT_R32_UINT);
  VkImageView view;
  // @VIEW
  OK(vkCreateImageView(device, &view_info, nullptr, &view));
  Destroy(view, image);
  // An image with the same handle that has no list.
  info.pNext = nullptr;
  const Image plain = MakeImage(info);
  Close(ViewOf(plain.handle, VK_FORMAT_R32_UINT), plain);
}
