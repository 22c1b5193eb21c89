// Defect: Two renderings, or two subpasses, draw to the same view, and nothing orders them.
// Fix: A barrier or a dependency for color attachments is between the two.
#include "common/vulkan.h"
#include "common/vulkan_pass.h"

// Defect: Two renderings draw to the same view of an image without a barrier in between.
// Fix: The second one draws to the view between those of the first, which is another layer of the image.
// EXPECT error missing-barrier vkCmdBeginRendering at SECOND
static void ViewsOfTwoRenderings() {
  VkPhysicalDeviceVulkan11Features more = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  more.multiview = VK_TRUE;
  VkPhysicalDeviceDynamicRenderingFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, &more};
  features.dynamicRendering = VK_TRUE;
  Open({.features = &features});

  VkImageCreateInfo image_info = ImageInfo(32, 32);
  image_info.arrayLayers = 3;
  image_info.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  const Image image = MakeImage(image_info);
  VkImageViewCreateInfo view_info = ViewInfo(image.handle);
  view_info.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  view_info.subresourceRange.layerCount = 3;
  VkImageView view;
  OK(vkCreateImageView(device, &view_info, nullptr, &view));

  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = view;
  color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {32, 32};
  info.layerCount = 1;
  info.colorAttachmentCount = 1;
  info.pColorAttachments = &color;

  Begin();
  VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                   0, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
  barrier.subresourceRange.layerCount = 3;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  info.viewMask = 0b101;
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
#ifdef DEFECT
  info.viewMask = 0b100;
#else
  info.viewMask = 0b010;
#endif
  // @SECOND
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  Run();
  Close(view, image);
}

// Defect: Two subpasses without a dependency draw to the same view of an attachment: the store of
// the second one races with the load of the first one.
// Fix: Each subpass draws to a view of its own.
// EXPECT error missing-barrier vkCmdEndRenderPass at END
// EXPECT-PARTY earlier-access at BEGIN
// EXPECT-FACT hazard=WAW
static void ViewsOfTwoSubpasses() {
  VkPhysicalDeviceVulkan11Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  features.multiview = VK_TRUE;
  Open({.features = &features});
  VkImageCreateInfo image_info = PassImage();
  image_info.arrayLayers = 2;
  const Image image = MakeImage(image_info);
  VkAttachmentDescription attachment = {};
  attachment.format = VK_FORMAT_R8G8B8A8_UNORM;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpasses[2] = {};
  for (VkSubpassDescription& subpass : subpasses) {
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &reference;
  }
#ifdef DEFECT
  const uint32_t views[2] = {3, 2};
#else
  const uint32_t views[2] = {1, 2};
#endif
  VkRenderPassMultiviewCreateInfo multiview = {VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO};
  multiview.subpassCount = 2;
  multiview.pViewMasks = views;
  VkRenderPassCreateInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, &multiview};
  info.attachmentCount = 1;
  info.pAttachments = &attachment;
  info.subpassCount = 2;
  info.pSubpasses = subpasses;
  Pass pass;
  OK(vkCreateRenderPass(device, &info, nullptr, &pass.pass));
  VkImageViewCreateInfo view =
      ViewInfo(image.handle, VK_FORMAT_R8G8B8A8_UNORM, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 2});
  view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  OK(vkCreateImageView(device, &view, nullptr, &pass.view));
  VkFramebufferCreateInfo frame = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  frame.renderPass = pass.pass;
  frame.attachmentCount = 1;
  frame.pAttachments = &pass.view;
  frame.width = frame.height = kPassSize;
  frame.layers = 1;
  OK(vkCreateFramebuffer(device, &frame, nullptr, &pass.frame));
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
  // @BEGIN
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  // @END
  vkCmdEndRenderPass(commands);
  Run();
  Close(pass, image);
}

int main() {
  ViewsOfTwoRenderings();
  ViewsOfTwoSubpasses();
}
