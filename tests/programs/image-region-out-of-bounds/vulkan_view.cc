// Defect of_a_depth_image_as_color: A view of a depth image names the color aspect.
// EXPECT error image-region-out-of-bounds vkCreateImageView at VIEW
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-subresourceRange-09594
// Defect of_a_level_too_many: A view shows four mip levels of an image that has three.
// EXPECT error image-region-out-of-bounds vkCreateImageView at VIEW
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-subresourceRange-01718
// Defect cube_of_five_layers: A view of a cube has five layers, and another one shows an image that
// was not created for cubes.
// EXPECT error image-region-out-of-bounds vkCreateImageView at FIVE
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-viewType-02960
// EXPECT error image-region-out-of-bounds vkCreateImageView at OTHER
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-image-01003
// Fix: The view names the aspect, the levels and the layers that its image has.
// EXIT any
#include "common/vulkan.h"

// Fix: It names the depth aspect, and shows the levels of the image.
static void View() {
  VkImageCreateInfo image_info = ImageInfo(16, 16, VK_FORMAT_D32_SFLOAT, 3);
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  const Image image = MakeImage(image_info);
  VkImageViewCreateInfo info = ViewInfo(image.handle, VK_FORMAT_D32_SFLOAT);
  info.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  info.subresourceRange.levelCount = 3;
#ifdef DEFECT_of_a_depth_image_as_color
  info.subresourceRange.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
#elif defined(DEFECT_of_a_level_too_many)
  info.subresourceRange.levelCount = 4;
#endif
  VkImageView view = VK_NULL_HANDLE;
  // @VIEW
  OK(vkCreateImageView(device, &info, nullptr, &view));
  Destroy(view, image);
}

// Fix: Both views have the six layers of an image for cubes.
static void CubeOfFiveLayers() {
  VkImageCreateInfo info = ImageInfo(32, 32, VK_FORMAT_R8G8B8A8_UNORM, 1, 6);
  info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  const Image cube = MakeImage(info);
#ifdef DEFECT_cube_of_five_layers
  info.flags = 0;
#endif
  const Image other = MakeImage(info);
  VkImageViewCreateInfo view_info = ViewInfo(cube.handle);
  view_info.viewType = VK_IMAGE_VIEW_TYPE_CUBE;
  view_info.subresourceRange.layerCount = 6;
#ifdef DEFECT_cube_of_five_layers
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
  Destroy(cube, other);
}

int main() {
  Open();
  View();
  CubeOfFiveLayers();
  Close();
}
