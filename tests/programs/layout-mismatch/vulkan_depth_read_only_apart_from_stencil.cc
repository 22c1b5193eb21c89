// Defect: Barriers give depth and stencil layouts of their own, depth the one for reading. A
// rendering then names the layout for writing depth.
// Fix: The rendering names the layout that depth has.
// EXPECT error layout-mismatch vkCmdBeginRendering at RENDERING
// EXPECT-PARTY layout at BARRIER
// EXPECT-FACT expected_layout=VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL
// EXPECT-FACT actual_layout=VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL
#include "common/vulkan_depth.h"

constexpr VkPipelineStageFlags kTests =
    VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
constexpr VkAccessFlags kReads = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
constexpr VkAccessFlags kReadsAndWrites = kReads | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;

static VkRenderingAttachmentInfo Attachment(VkImageView view, VkImageLayout layout,
                                            VkAttachmentLoadOp load, VkAttachmentStoreOp store) {
  VkRenderingAttachmentInfo info = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  info.imageView = view;
  info.imageLayout = layout;
  info.loadOp = load;
  info.storeOp = store;
  return info;
}

int main() {
  VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures separate = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES};
  separate.separateDepthStencilLayouts = VK_TRUE;
  VkPhysicalDeviceDynamicRenderingFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, &separate};
  features.dynamicRendering = VK_TRUE;
  Open({.features = &features});
  VkImageCreateInfo image_info = ImageInfo(kPassSize, kPassSize, kDepthFormat);
  image_info.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  const Image image = MakeImage(image_info);
  VkImageSubresourceRange both = kWhole;
  both.aspectMask = kDepthAspects;
  const VkImageView view = ViewOf(image.handle, kDepthFormat, both);
  VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea.extent = {kPassSize, kPassSize};
  rendering.layerCount = 1;
  Begin();

  // Both aspects are cleared in one layout.
  const VkImageMemoryBarrier start =
      DepthBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, 0, kReadsAndWrites);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, kTests, 0, 0, nullptr, 0,
                       nullptr, 1, &start);
  VkRenderingAttachmentInfo depth =
      Attachment(view, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                 VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_STORE);
  VkRenderingAttachmentInfo stencil = depth;
  rendering.pDepthAttachment = &depth;
  rendering.pStencilAttachment = &stencil;
  vkCmdBeginRendering(commands, &rendering);
  vkCmdEndRendering(commands);

  // The layout of both aspects stands for these two.
  VkImageMemoryBarrier apart[2];
  apart[0] = DepthBarrier(image.handle, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                          VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, kReadsAndWrites, kReads);
  apart[0].subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  apart[1] =
      DepthBarrier(image.handle, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                   VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, kReadsAndWrites, kReadsAndWrites);
  apart[1].subresourceRange.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
  // @BARRIER
  vkCmdPipelineBarrier(commands, kTests, kTests, 0, 0, nullptr, 0, nullptr, 2, apart);

#ifdef DEFECT
  const VkImageLayout layout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
#else
  const VkImageLayout layout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
#endif
  depth = Attachment(view, layout, VK_ATTACHMENT_LOAD_OP_LOAD, VK_ATTACHMENT_STORE_OP_NONE);
  stencil = Attachment(view, VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, VK_ATTACHMENT_LOAD_OP_LOAD,
                       VK_ATTACHMENT_STORE_OP_STORE);
  // @RENDERING
  vkCmdBeginRendering(commands, &rendering);
  vkCmdEndRendering(commands);

  // One barrier for both aspects again.
  const VkImageMemoryBarrier joined =
      DepthBarrier(image.handle, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
                   VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, kReadsAndWrites, kReads);
  vkCmdPipelineBarrier(commands, kTests, kTests, 0, 0, nullptr, 0, nullptr, 1, &joined);
  Run();
  Close(view, image);
}
