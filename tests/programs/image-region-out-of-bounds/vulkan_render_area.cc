// Defect wider_framebuffer: A framebuffer is wider than the image of its attachment.
// EXPECT error image-region-out-of-bounds vkCreateFramebuffer
// EXPECT-FACT vuid=VUID-VkFramebufferCreateInfo-flags-04533
// EXIT any
// Defect past_the_framebuffer: The render area is wider than the framebuffer.
// EXPECT error image-region-out-of-bounds vkCmdBeginRenderPass at BEGIN
// EXPECT-FACT vuid=VUID-VkRenderPassBeginInfo-pNext-02852
// EXIT any
// Defect before_the_first_column: The render area of dynamic rendering with two attachments begins
// before their first column.
// EXPECT error image-region-out-of-bounds vkCmdBeginRendering at BEGIN_2
// EXPECT-FACT vuid=VUID-VkRenderingInfo-pNext-06077
// EXIT any
// Fix: The render area and the framebuffer are inside of the attachments.
#include "common/vulkan_pass.h"

// Fix: The image is as wide as the framebuffer.
static void WiderFramebuffer() {
  Open();
  VkImageCreateInfo info = PassImage();
#ifdef DEFECT_wider_framebuffer
  info.extent.width = kPassSize / 2;
#endif
  const Image image = MakeImage(info);
  Pass pass;
  pass.pass = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR);
  MakeFrame(image.handle, &pass);
  Close(pass, image);
}

// Fix: It ends with the framebuffer.
static void PastTheFramebuffer() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
#ifdef DEFECT_past_the_framebuffer
  begin.renderArea.extent.width = 2 * kPassSize;
#endif
  Begin();
  // @BEGIN
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pass, image);
}

// Fix: It begins with the first column.
static void BeforeTheFirstColumn() {
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
#ifdef DEFECT_before_the_first_column
  info.renderArea.offset.x = -4;
#endif
  info.layerCount = 1;
  info.colorAttachmentCount = 2;
  info.pColorAttachments = colors;
  // @BEGIN_2
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  for (int i = 0; i < 2; ++i) {
    vkDestroyImageView(device, views[i], nullptr);
    Destroy(images[i]);
  }
  Close();
}

int main() {
  WiderFramebuffer();
  PastTheFramebuffer();
  BeforeTheFirstColumn();
}
