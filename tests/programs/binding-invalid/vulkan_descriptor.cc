// Defect never_written: A dispatch reads a descriptor that was never written.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08114
// EXIT any
// Defect written_behind_its_dispatch: A descriptor is first written after the dispatch that uses it
// was recorded, and before the recording ends.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08114
// EXIT any
// Defect element_never_written: A shader uses two elements of an array of descriptors, of which one
// was never written.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH_2
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08114
// EXIT any
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
// Fix: The descriptors are written, before their dispatch, with views and samplers that fit.
#include "common/vulkan_compute.h"
#include "common/vulkan_dispatches.h"
#include "common/vulkan_sets.h"

// Fix: Both descriptors are written before the dispatch is recorded.
static void Written() {
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  const VkDescriptorBufferInfo output = {b.handle, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write = Write(compute.set, 1, &output);
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  const VkDescriptorBufferInfo input = {a.handle, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet other = Write(compute.set, 0, &input);
#if !defined(DEFECT_never_written) && !defined(DEFECT_written_behind_its_dispatch)
  vkUpdateDescriptorSets(device, 1, &other, 0, nullptr);
#endif
  Begin();
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 16, 1, 1);
#ifdef DEFECT_never_written
  Run();
#elif defined(DEFECT_written_behind_its_dispatch)
  vkUpdateDescriptorSets(device, 1, &other, 0, nullptr);
  OK(vkEndCommandBuffer(commands));
#else
  Run();
#endif
  Destroy(compute, a, b);
}

// Fix: Both are written. The shader does not use the other elements.
static void ElementNeverWritten() {
  const Buffer from = MakeBuffer(4096, kStorage), to = MakeBuffer(4096, kStorage);
  const Compute compute = MakeElements();
  SetElement(compute, 1, from.handle);
#ifdef DEFECT_element_never_written
  SetElement(compute, 0, to.handle);
#else
  SetElement(compute, 2, to.handle);
#endif
  Begin();
  vkCmdFillBuffer(commands, from.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Bind(compute);
  // @DISPATCH_2
  vkCmdDispatch(commands, 16, 1, 1);
  Run();
  Destroy(compute, from, to);
}

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
  Written();
  ElementNeverWritten();
  WithDepthAndStencil();
  WithoutItsSampler();
  WithoutAView();
  Close();
}
