// Defect format_of_a_fixed_image: A view has another format than its image, which does not allow
// it.
// EXPECT error binding-invalid vkCreateImageView at VIEW
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-image-01762
// EXIT any
// Defect unlisted_format: An image is created with a list of the formats of its views, and viewed
// with another one.
// EXPECT error binding-invalid vkCreateImageView at VIEW_2
// EXPECT-FACT vuid=VUID-VkImageViewCreateInfo-pNext-01585
// EXPECT-TEXT with VK_FORMAT_R32_UINT, which is not in the format list
// Defect another_format_in_a_framebuffer: A framebuffer is given a view whose format is not that of
// the attachment in the render pass.
// EXPECT error binding-invalid vkCreateFramebuffer
// EXPECT-FACT vuid=VUID-VkFramebufferCreateInfo-pAttachments-00880
// EXIT any
// Defect swizzled_in_a_framebuffer: A framebuffer is created with a view that swaps red and blue.
// EXPECT error binding-invalid vkCreateFramebuffer at FRAME
// EXPECT-FACT vuid=VUID-VkFramebufferCreateInfo-pAttachments-00884
// Fix: The view has a format that its image and its framebuffer allow.
#include "common/vulkan.h"
#include "common/vulkan_pass.h"
#include "common/vulkan_sets.h"

// Fix: The image is created with VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT.
static void FormatOfAFixedImage() {
  VkImageCreateInfo image_info = ImageInfo(16, 16);
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
#ifndef DEFECT_format_of_a_fixed_image
  image_info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
#endif
  const Image image = MakeImage(image_info);
  const VkImageViewCreateInfo info = ViewInfo(image.handle, VK_FORMAT_R8G8B8A8_SRGB);
  VkImageView view;
  // @VIEW
  OK(vkCreateImageView(device, &info, nullptr, &view));
  Destroy(view, image);
}

// Fix: The list has the format.
static void UnlistedFormat() {
  VkImageCreateInfo info = ImageInfo(16, 16);
  info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
  const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB,
                              VK_FORMAT_R32_UINT};
  VkImageFormatListCreateInfo list = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO};
  list.viewFormatCount = 3;
#ifdef DEFECT_unlisted_format
  list.viewFormatCount = 2;
#endif
  list.pViewFormats = formats;
  info.pNext = &list;
  const Image image = MakeImage(info);
  const VkImageViewCreateInfo view_info = ViewInfo(image.handle, VK_FORMAT_R32_UINT);
  VkImageView view;
  // @VIEW_2
  OK(vkCreateImageView(device, &view_info, nullptr, &view));
  Destroy(view, image);
  // An image with the same handle that has no list.
  info.pNext = nullptr;
  const Image plain = MakeImage(info);
  Destroy(ViewOf(plain.handle, VK_FORMAT_R32_UINT), plain);
}

// Fix: The render pass names the format of the view.
static void AnotherFormatInAFramebuffer() {
  const Image image = MakeImage(PassImage());
  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
#ifdef DEFECT_another_format_in_a_framebuffer
  format = VK_FORMAT_R8G8B8A8_SRGB;
#endif
  Pass pass;
  pass.pass =
      MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED, format);
  MakeFrame(image.handle, &pass);
  Destroy(pass, image);
}

// Fix: The view of the attachment has the identity swizzle.
static void SwizzledInAFramebuffer() {
  const Image image = MakeImage(PassImage());
  Pass made;
  made.pass = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR);
  VkImageViewCreateInfo view = ViewInfo(image.handle);
  // Each component by its own name is the identity, too.
  view.components.a = VK_COMPONENT_SWIZZLE_A;
#ifdef DEFECT_swizzled_in_a_framebuffer
  view.components.r = VK_COMPONENT_SWIZZLE_B;
  view.components.b = VK_COMPONENT_SWIZZLE_R;
#endif
  OK(vkCreateImageView(device, &view, nullptr, &made.view));
  VkFramebufferCreateInfo frame = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  frame.renderPass = made.pass;
  frame.attachmentCount = 1;
  frame.pAttachments = &made.view;
  frame.width = frame.height = kPassSize;
  frame.layers = 1;
  // @FRAME
  OK(vkCreateFramebuffer(device, &frame, nullptr, &made.frame));
  Destroy(made, image);
}

int main() {
  Open();
  FormatOfAFixedImage();
  UnlistedFormat();
  AnotherFormatInAFramebuffer();
  SwizzledInAFramebuffer();
  Close();
}
