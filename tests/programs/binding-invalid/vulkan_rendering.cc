// Defect resolves_one_sample: A rendering is to resolve an attachment that has one sample.
// EXPECT error binding-invalid vkCmdBeginRendering at BEGIN
// EXPECT-FACT vuid=VUID-VkRenderingAttachmentInfo-imageView-06861
// EXIT any
// Defect more_layers_than_its_view: Two renderings want more layers than the view of their
// attachment has: one by its view mask, one by its number of layers.
// EXPECT error binding-invalid vkCmdBeginRendering at VIEWS
// EXPECT-FACT vuid=VUID-VkRenderingInfo-viewMask-12403
// EXPECT-TEXT through a view of 2 layers, but viewMask needs 3
// EXPECT error binding-invalid vkCmdBeginRendering at LAYERS
// EXPECT-FACT vuid=VUID-VkRenderingInfo-viewMask-10859
// EXPECT-TEXT through a view of 2 layers, but layerCount needs 4
// EXIT any
// Fix: The rendering fits the samples and the layers of its attachment.
#include "common/vulkan_rendering.h"

// Fix: It resolves nothing.
static void ResolvesOneSample() {
  OpenForRendering();
  const Rendering made = MakeRendering();
  VkRenderingAttachmentInfo color = ClearedColor(made);
#ifdef DEFECT_resolves_one_sample
  color.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
  color.resolveImageView = made.view;
  color.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
#endif
  const VkRenderingInfo info = RenderingTo(color);
  Begin();
  // @BEGIN
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(made);
}

// Fix: They want as many layers as the view has.
static void MoreLayersThanItsView() {
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
#ifdef DEFECT_more_layers_than_its_view
  info.viewMask = 5;
#else
  info.viewMask = 2;
#endif
  Begin();
  // @VIEWS
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  info.viewMask = 0;
#ifdef DEFECT_more_layers_than_its_view
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

int main() {
  ResolvesOneSample();
  MoreLayersThanItsView();
}
