// Defect: Two renderings want more layers than the view of their attachment has: one by its view
// mask, one by its number of layers.
// Fix: They want as many layers as the view has.
// EXPECT error binding-invalid vkCmdBeginRendering at VIEWS
// EXPECT-FACT vuid=VUID-VkRenderingInfo-viewMask-12403
// EXPECT-TEXT through a view of 2 layers, but viewMask needs 3
// EXPECT error binding-invalid vkCmdBeginRendering at LAYERS
// EXPECT-FACT vuid=VUID-VkRenderingInfo-viewMask-10859
// EXPECT-TEXT through a view of 2 layers, but layerCount needs 4
// EXIT any
#include "common/vulkan_rendering.h"

int main() {
  VkPhysicalDeviceMultiviewFeatures multiview = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES};
  multiview.multiview = VK_TRUE;
  VkPhysicalDeviceDynamicRenderingFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, &multiview};
  features.dynamicRendering = VK_TRUE;
  Open({.features = &features});
  VkImageCreateInfo image_info = PassImage();
  image_info.arrayLayers = 4;
  const Image image = MakeImage(image_info);
  // Layers 1 and 2.
  VkImageSubresourceRange two = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1, 2};
  VkImageViewCreateInfo view_info = ViewInfo(image.handle, kRenderingFormat, two);
  view_info.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  VkImageView view;
  OK(vkCreateImageView(device, &view_info, nullptr, &view));
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = view;
  color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  VkRenderingInfo info = RenderingTo(color);
#ifdef DEFECT
  info.viewMask = 5;
#else
  info.viewMask = 2;
#endif
  Begin();
  // @VIEWS
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  info.viewMask = 0;
#ifdef DEFECT
  info.layerCount = 4;
#else
  info.layerCount = 2;
#endif
  // @LAYERS
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(view, image);
}
