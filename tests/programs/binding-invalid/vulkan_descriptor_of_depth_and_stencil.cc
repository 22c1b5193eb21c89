// Defect: A sampled image is written with a view of the depth and the stencil together.
// Fix: The view has the aspect that the shader reads.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkDescriptorImageInfo-imageView-01976
#include "common/vulkan_sets.h"

int main() {
  Open();
  constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  constexpr VkFormat kFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
  VkImageCreateInfo image_info = ImageInfo(16, 16, kFormat);
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  const Image image = MakeImage(image_info);
  VkImageSubresourceRange range = kWhole;
  range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
#ifdef DEFECT
  range.aspectMask |= VK_IMAGE_ASPECT_STENCIL_BIT;
#endif
  const VkImageViewCreateInfo view_info = ViewInfo(image.handle, kFormat, range);
  VkImageView view;
  OK(vkCreateImageView(device, &view_info, nullptr, &view));
  const OneSet set = MakeSet(kType);
  const VkDescriptorImageInfo info = {VK_NULL_HANDLE, view,
                                      VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL};
  VkWriteDescriptorSet write = WriteOne(set, kType);
  write.pImageInfo = &info;
  // @WRITE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Close(set, view, image);
}
