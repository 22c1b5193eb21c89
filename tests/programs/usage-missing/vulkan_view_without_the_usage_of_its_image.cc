// Defect: A storage image is written with a view that was created for sampling only.
// Fix: The view has all usages of the image.
// EXPECT error usage-missing vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-00339
#include "common/vulkan_sets.h"

int main() {
  Open();
  VkImageCreateInfo image_info = ImageInfo(16, 16);
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
  const Image image = MakeImage(image_info);
  VkImageViewUsageCreateInfo usage = {VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO};
  usage.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
#ifndef DEFECT
  usage.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
#endif
  VkImageViewCreateInfo view_info = ViewInfo(image.handle);
  view_info.pNext = &usage;
  VkImageView view;
  OK(vkCreateImageView(device, &view_info, nullptr, &view));
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  const VkDescriptorImageInfo info = {VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet write = WriteOne(set, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  write.pImageInfo = &info;
  // @WRITE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Close(set, view, image);
}
