// Defect: A combined image sampler is written without a sampler.
// Fix: The write names a sampler. A set with an immutable sampler needs none.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-00325
// EXIT any
#include "common/vulkan_sets.h"

int main() {
  Open();
  constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  VkImageCreateInfo image_info = ImageInfo(16, 16);
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  const Image image = MakeImage(image_info);
  const VkImageViewCreateInfo view_info = ViewInfo(image.handle);
  VkImageView view;
  OK(vkCreateImageView(device, &view_info, nullptr, &view));
  const VkSampler sampler = MakeSampler();
  const OneSet set = MakeSet(kType), immutable = MakeSet(kType, 1, &sampler);
  VkDescriptorImageInfo info = {VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  VkWriteDescriptorSet write = WriteOne(immutable, kType);
  write.pImageInfo = &info;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
#ifndef DEFECT
  info.sampler = sampler;
#endif
  write.dstSet = set.set;
  // @WRITE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Close(set, immutable, sampler, view, image);
}
