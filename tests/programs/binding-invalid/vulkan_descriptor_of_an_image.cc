// Defect with_depth_and_stencil: A sampled image is written with a view of the depth and the
// stencil together.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkDescriptorImageInfo-imageView-01976
// Defect without_its_sampler: A combined image sampler is written without a sampler.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE_2
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-00325
// EXIT any
// Defect without_a_view: A sampled image is written as VK_NULL_HANDLE, as a placeholder until the
// texture is loaded, on a device without the feature nullDescriptor.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE_3
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-02997
// EXIT any
// Fix: The descriptor has a sampler, and a view of one aspect.
#include "common/vulkan_sets.h"

// Fix: The view has the aspect that the shader reads.
static void WithDepthAndStencil() {
  constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  constexpr VkFormat kFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
  VkImageCreateInfo image_info = ImageInfo(16, 16, kFormat);
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  const Image image = MakeImage(image_info);
  VkImageSubresourceRange range = kWhole;
  range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
#ifdef DEFECT_with_depth_and_stencil
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
  Destroy(set, view, image);
}

// Fix: The write names a sampler. A set with an immutable sampler needs none.
static void WithoutItsSampler() {
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
#ifndef DEFECT_without_its_sampler
  info.sampler = sampler;
#endif
  write.dstSet = set.set;
  // @WRITE_2
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Destroy(set, immutable, sampler, view, image);
}

// Fix: The descriptor names a view.
static void WithoutAView() {
  constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  const SampledImage image = MakeSampledImage();
  const OneSet set = MakeSet(kType);
  VkDescriptorImageInfo info = {VK_NULL_HANDLE, image.view,
                                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
#ifdef DEFECT_without_a_view
  info.imageView = VK_NULL_HANDLE;
#endif
  VkWriteDescriptorSet write = WriteOne(set, kType);
  write.pImageInfo = &info;
  // @WRITE_3
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Destroy(set, image);
}

int main() {
  Open();
  WithDepthAndStencil();
  WithoutItsSampler();
  WithoutAView();
  Close();
}
