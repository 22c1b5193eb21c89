// Defect: Two renderings draw to the same view of an image without a barrier in between.
// Fix: The second one draws to the view between those of the first, which is another layer of the image.
// EXPECT error missing-barrier vkCmdBeginRendering at SECOND
#include "common/vulkan.h"

int main() {
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
