// Defect: A rendering resolves depth, and the barrier before the copy of the result waits for
// writes of depth attachments. The resolve of depth writes in the stage of color attachments.
// Fix: The barrier names the stage and the access of color attachments.
// EXPECT error missing-barrier vkCmdPipelineBarrier at BARRIER
// EXPECT-PARTY earlier-access at END
// EXPECT-FACT hazard=WAW
#include "common/vulkan_depth.h"

constexpr VkImageLayout kLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;

static Image MakeTarget(VkSampleCountFlagBits samples, VkImageUsageFlags usage) {
  VkImageCreateInfo info = ImageInfo(kPassSize, kPassSize, VK_FORMAT_D32_SFLOAT);
  info.samples = samples;
  info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | usage;
  return MakeImage(info);
}

int main() {
  VkPhysicalDeviceDynamicRenderingFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  features.dynamicRendering = VK_TRUE;
  Open({.features = &features});
  const Image drawn = MakeTarget(VK_SAMPLE_COUNT_4_BIT, 0);
  const Image resolved = MakeTarget(VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  VkImageSubresourceRange depth = kWhole;
  depth.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  const VkImageView views[2] = {ViewOf(drawn.handle, VK_FORMAT_D32_SFLOAT, depth),
                                ViewOf(resolved.handle, VK_FORMAT_D32_SFLOAT, depth)};
  const Buffer result = MakeBuffer(kPassSize * kPassSize * 4);
  Begin();
  VkImageMemoryBarrier starts[2];
  for (int i = 0; i < 2; ++i) {
    starts[i] =
        ImageBarrier(i == 0 ? drawn.handle : resolved.handle, VK_IMAGE_LAYOUT_UNDEFINED, kLayout, 0,
                     i == 0 ? VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                  VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT
                            : VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
    starts[i].subresourceRange = depth;
  }
  constexpr VkPipelineStageFlags kTests =
      VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       kTests | VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr, 0,
                       nullptr, 2, starts);
  VkRenderingAttachmentInfo attachment = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  attachment.imageView = views[0];
  attachment.imageLayout = kLayout;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  attachment.resolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
  attachment.resolveImageView = views[1];
  attachment.resolveImageLayout = kLayout;
  VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea.extent = {kPassSize, kPassSize};
  rendering.layerCount = 1;
  rendering.pDepthAttachment = &attachment;
  vkCmdBeginRendering(commands, &rendering);
  // @END
  vkCmdEndRendering(commands);
#ifdef DEFECT
  const VkPipelineStageFlags stages = kTests;
  const VkAccessFlags writes = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
#else
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  const VkAccessFlags writes = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
#endif
  VkImageMemoryBarrier to_copy =
      ImageBarrier(resolved.handle, kLayout, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, writes,
                   VK_ACCESS_TRANSFER_READ_BIT);
  to_copy.subresourceRange = depth;
  // @BARRIER
  vkCmdPipelineBarrier(commands, stages, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr,
                       1, &to_copy);
  VkBufferImageCopy region = {};
  region.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1};
  region.imageExtent = {kPassSize, kPassSize, 1};
  vkCmdCopyImageToBuffer(commands, resolved.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         result.handle, 1, &region);
  Run();
  Close(views[0], views[1], drawn, resolved, result);
}
