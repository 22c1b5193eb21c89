// Defect: A view of a cube has five layers, and another one shows an image that was not created for cubes.
// Fix: Both views have the six layers of an image for cubes.
// EXPECT error image-region-out-of-bounds vkCreateImageView at FIVE
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-viewType-02960
// EXPECT error image-region-out-of-bounds vkCreateImageView at OTHER
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-image-01003
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkImageCreateInfo info = ImageInfo(32, 32, VK_FORMAT_R8G8B8A8_UNORM, 1, 6);
  info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  const Image cube = MakeImage(info);
#ifdef DEFECT
  info.flags = 0;
#endif
  const Image other = MakeImage(info);
  VkImageViewCreateInfo view_info = ViewInfo(cube.handle);
  view_info.viewType = VK_IMAGE_VIEW_TYPE_CUBE;
  view_info.subresourceRange.layerCount = 6;
#ifdef DEFECT
  view_info.subresourceRange.layerCount = 5;
#endif
  VkImageView views[2];
  // @FIVE
  OK(vkCreateImageView(device, &view_info, nullptr, &views[0]));
  view_info.image = other.handle;
  view_info.subresourceRange.layerCount = VK_REMAINING_ARRAY_LAYERS;
  // @OTHER
  OK(vkCreateImageView(device, &view_info, nullptr, &views[1]));
  for (const VkImageView view : views) vkDestroyImageView(device, view, nullptr);
  Close(cube, other);
}
