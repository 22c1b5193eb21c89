// Defect: The render area of dynamic rendering with two attachments begins before their first
// column.
// Fix: It begins with the first column.
// EXPECT error image-region-out-of-bounds vkCmdBeginRendering at BEGIN
// EXPECT-FACT vuid=VUID-VkRenderingInfo-pNext-06077
// EXIT any
#include "common/vulkan_pass.h"

int main() {
  static VkPhysicalDeviceDynamicRenderingFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  features.dynamicRendering = VK_TRUE;
  Open({.features = &features});
  Image images[2];
  VkImageView views[2];
  VkRenderingAttachmentInfo colors[2];
  Begin();
  for (int i = 0; i < 2; ++i) {
    images[i] = MakeImage(PassImage());
    const VkImageViewCreateInfo view = ViewInfo(images[i].handle);
    OK(vkCreateImageView(device, &view, nullptr, &views[i]));
    colors[i] = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    colors[i].imageView = views[i];
    colors[i].imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    colors[i].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    colors[i].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    const VkImageMemoryBarrier barrier =
        ImageBarrier(images[i].handle, VK_IMAGE_LAYOUT_UNDEFINED,
                     VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, 0,
                     VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr, 0, nullptr,
                         1, &barrier);
  }
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {kPassSize / 2, kPassSize};
#ifdef DEFECT
  info.renderArea.offset.x = -4;
#endif
  info.layerCount = 1;
  info.colorAttachmentCount = 2;
  info.pColorAttachments = colors;
  // @BEGIN
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  for (int i = 0; i < 2; ++i) {
    vkDestroyImageView(device, views[i], nullptr);
    Destroy(images[i]);
  }
  Close();
}
