// Defect of_an_attachment: A framebuffer is created with an image that was created for copies only.
// EXPECT error usage-missing vkCreateFramebuffer
// EXPECT-FACT vuid=VUID-VkFramebufferCreateInfo-pAttachments-00877
// Defect of_a_view: A view is created of an image that was created for copies only.
// EXPECT error usage-missing vkCreateImageView at VIEW
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-image-04441
// EXIT any
// Defect of_a_layout: A texture is brought into the layout for shaders, but was created for copies
// only.
// EXPECT error usage-missing vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-VkImageMemoryBarrier-oldLayout-01211
// Defect of_an_initial_layout: A render pass begins with its attachment in a layout for copies from
// it, but the image was created without that usage.
// EXPECT error usage-missing vkCmdBeginRenderPass at BEGIN
// EXPECT-FACT vuid=VUID-vkCmdBeginRenderPass-initialLayout-00898
// Defect of_an_attachment_through_its_view: A rendering draws through a view that was created for
// sampling only.
// EXPECT error usage-missing vkCmdBeginRendering at BEGIN_2
// EXPECT-FACT vuid=VUID-VkRenderingInfo-colorAttachmentCount-06087
// EXPECT-TEXT but the view was created without VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
// Defect of_a_descriptor_through_its_view: A storage image is written with a view that was created
// for sampling only.
// EXPECT error usage-missing vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-00339
// Defect of_its_texels: Asks for the layout of the bytes of an image that was created with optimal
// tiling.
// EXPECT error usage-missing vkGetImageSubresourceLayout at LAYOUT
// EXPECT-FACT vuid=VUID-vkGetImageSubresourceLayout-image-07790
// Fix: The image and its view were created for this use.
#include "common/vulkan.h"
#include "common/vulkan_pass.h"
#include "common/vulkan_rendering.h"
#include "common/vulkan_sets.h"

// Fix: The image is created with VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT.
static void OfAnAttachment() {
  Open();
  VkImageCreateInfo info = PassImage();
#ifdef DEFECT_of_an_attachment
  info.usage &= ~static_cast<VkImageUsageFlags>(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
#endif
  // A view needs some usage besides copies.
  info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  const Image image = MakeImage(info);
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  Close(pass, image);
}

// Fix: The image is created for shaders, too.
static void OfAView() {
  Open();
  VkImageCreateInfo image_info = ImageInfo(16, 16);
#ifndef DEFECT_of_a_view
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
#endif
  const Image image = MakeImage(image_info);
  const VkImageViewCreateInfo info = ViewInfo(image.handle);
  VkImageView view;
  // @VIEW
  OK(vkCreateImageView(device, &info, nullptr, &view));
  Close(view, image);
}

// Fix: The texture is created with VK_IMAGE_USAGE_SAMPLED_BIT.
static void OfALayout() {
  Open();
  VkImageCreateInfo info = ImageInfo(16, 16);
#ifndef DEFECT_of_a_layout
  info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
#endif
  const Image image = MakeImage(info);
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, 0, VK_ACCESS_SHADER_READ_BIT);
  Begin();
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  Run();
  Close(image);
}

// Fix: create the image with the usage.
static void OfAnInitialLayout() {
  Open();
  VkImageCreateInfo info = PassImage();
#ifdef DEFECT_of_an_initial_layout
  info.usage &= ~VkImageUsageFlags{VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
#endif
  const Image image = MakeImage(info);
  const Pass pass = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_LOAD, nullptr,
                             VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
  // @BEGIN
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pass, image);
}

// Fix: The view has all usages of the image.
static void OfAnAttachmentThroughItsView() {
  OpenForRendering();
  VkImageCreateInfo image_info = PassImage();
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  Rendering rendering;
  rendering.image = MakeImage(image_info);
  StartAsAttachment(rendering.image.handle);
  VkImageViewUsageCreateInfo usage = {VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO};
  usage.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
#ifndef DEFECT_of_an_attachment_through_its_view
  usage.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
#endif
  VkImageViewCreateInfo view_info = ViewInfo(rendering.image.handle);
  view_info.pNext = &usage;
  OK(vkCreateImageView(device, &view_info, nullptr, &rendering.view));
  const VkRenderingAttachmentInfo color = ClearedColor(rendering);
  const VkRenderingInfo info = RenderingTo(color);
  Begin();
  // @BEGIN_2
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(rendering.view, rendering.image);
}

// Fix: The view has all usages of the image.
static void OfADescriptorThroughItsView() {
  Open();
  VkImageCreateInfo image_info = ImageInfo(16, 16);
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
  const Image image = MakeImage(image_info);
  VkImageViewUsageCreateInfo usage = {VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO};
  usage.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
#ifndef DEFECT_of_a_descriptor_through_its_view
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

// Fix: The image has linear tiling.
static void OfItsTexels() {
  Open();
  VkImageCreateInfo info = ImageInfo(16, 16);
#ifndef DEFECT_of_its_texels
  info.tiling = VK_IMAGE_TILING_LINEAR;
#endif
  const Image image = MakeImage(info);
  const VkImageSubresource first = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
  VkSubresourceLayout layout;
  // @LAYOUT
  vkGetImageSubresourceLayout(device, image.handle, &first, &layout);
  Close(image);
}

int main() {
  OfAnAttachment();
  OfAView();
  OfALayout();
  OfAnInitialLayout();
  OfAnAttachmentThroughItsView();
  OfADescriptorThroughItsView();
  OfItsTexels();
}
