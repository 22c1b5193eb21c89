// Views of all mip levels and layers by the special numbers, of slices of a 3D image, of depth
// alone, and for a part of the usage of their image.
#include "common/vulkan.h"

static void MakeView(const VkImageCreateInfo& image_info, VkImageViewType type,
                     const VkImageSubresourceRange& range, VkImageUsageFlags usage = 0) {
  const Image image = MakeImage(image_info);
  VkImageViewUsageCreateInfo usage_info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO};
  usage_info.usage = usage;
  VkImageViewCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  if (usage != 0) info.pNext = &usage_info;
  info.image = image.handle;
  info.viewType = type;
  info.format = image_info.format;
  info.subresourceRange = range;
  VkImageView view;
  OK(vkCreateImageView(device, &info, nullptr, &view));
  vkDestroyImageView(device, view, nullptr);
  Destroy(image);
}

int main() {
  Open();
  constexpr VkImageAspectFlags kColor = VK_IMAGE_ASPECT_COLOR_BIT;
  VkImageCreateInfo info = ImageInfo(16, 16, VK_FORMAT_R8G8B8A8_UNORM, 3, 6);
  info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  MakeView(info, VK_IMAGE_VIEW_TYPE_2D_ARRAY,
           {kColor, 1, VK_REMAINING_MIP_LEVELS, 2, VK_REMAINING_ARRAY_LAYERS});
  MakeView(info, VK_IMAGE_VIEW_TYPE_2D, {kColor, 2, 1, 5, 1}, VK_IMAGE_USAGE_SAMPLED_BIT);
  info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  MakeView(info, VK_IMAGE_VIEW_TYPE_CUBE, {kColor, 0, 3, 0, 6});
  info = ImageInfo(16, 16);
  info.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  info.imageType = VK_IMAGE_TYPE_3D;
  info.extent.depth = 8;
  info.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
  MakeView(info, VK_IMAGE_VIEW_TYPE_2D_ARRAY, {kColor, 0, 1, 4, 4});
  MakeView(info, VK_IMAGE_VIEW_TYPE_3D, {kColor, 0, 1, 0, 1});
  info = ImageInfo(16, 16, VK_FORMAT_D32_SFLOAT_S8_UINT);
  info.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
  MakeView(info, VK_IMAGE_VIEW_TYPE_2D, {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1});
  Close();
}
