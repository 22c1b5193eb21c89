// Defect: What a rendering stores, loads or resolves is not ordered with a copy, a clear or a
// barrier.
// Fix: A barrier for the accesses of the rendering orders the two.
#include "common/vulkan_rendering.h"
#include "common/vulkan_barriers.h"
#include "common/vulkan_depth.h"

struct General {
  Image image;
  VkImageView view;
};

static General MakeGeneral() {
  General made;
  made.image = MakeImage(PassImage());
  made.view = ViewOf(made.image.handle, kRenderingFormat);
  Begin();
  const VkImageMemoryBarrier barrier =
      ImageBarrier(made.image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                   VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
  Run();
  return made;
}

static VkRenderingAttachmentInfo GeneralAttachment(const General& general,
                                                   VkAttachmentLoadOp load) {
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = general.view;
  color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  color.loadOp = load;
  color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  return color;
}

static void Destroy(const General& general) {
  vkDestroyImageView(device, general.view, nullptr);
  Destroy(general.image);
}

// Defect: Copies what a rendering has stored, without a barrier between the two.
// Fix: A barrier behind the rendering orders the two.
// EXPECT error missing-barrier vkCmdCopyImageToBuffer at COPY
// EXPECT-PARTY earlier-access at END
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT record a barrier after vkCmdEndRendering: vkCmdPipelineBarrier with
static void RenderingCopiedOut() {
  const General general = MakeGeneral();
  const Buffer target = MakeBuffer(kPassSize * kPassSize * 4);
  Begin();
  const VkRenderingAttachmentInfo color = GeneralAttachment(general, VK_ATTACHMENT_LOAD_OP_CLEAR);
  const VkRenderingInfo info = RenderingTo(color);
  vkCmdBeginRendering(commands, &info);
  // @END
  vkCmdEndRendering(commands);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  VkBufferImageCopy all = {};
  all.imageSubresource = kFirst;
  all.imageExtent = {kPassSize, kPassSize, 1};
  // @COPY
  vkCmdCopyImageToBuffer(commands, general.image.handle, VK_IMAGE_LAYOUT_GENERAL, target.handle, 1,
                         &all);
  Run();
  Destroy(general, target);
}

// Defect: Clears an image and loads it by a rendering, without a barrier between the two.
// Fix: A barrier before the rendering orders the two.
// EXPECT error missing-barrier vkCmdBeginRendering at LOAD
// EXPECT-PARTY earlier-access at CLEAR
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT record a barrier before vkCmdBeginRendering: vkCmdPipelineBarrier with
static void RenderingLoadsAClear() {
  const General general = MakeGeneral();
  const VkClearColorValue black = {};
  Begin();
  // @CLEAR
  vkCmdClearColorImage(commands, general.image.handle, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &kWhole);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
#endif
  const VkRenderingAttachmentInfo color = GeneralAttachment(general, VK_ATTACHMENT_LOAD_OP_LOAD);
  const VkRenderingInfo info = RenderingTo(color);
  // @LOAD
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  Run();
  Destroy(general);
}

// Defect: The barrier behind a rendering that resolves its attachment waits for transfers, as
// behind vkCmdResolveImage. Fix: It waits for the stage that writes attachments, which also
// resolves them.
// EXPECT error missing-barrier vkCmdPipelineBarrier at MOVE
// EXPECT-PARTY earlier-access at END_2
// EXPECT-FACT hazard=WAW
// EXPECT-TEXT include VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT in srcStageMask, and VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT in
static void ResolveWaitedForAsATransfer() {
  VkImageCreateInfo info = PassImage();
  const Image resolved = MakeImage(info);
  info.samples = VK_SAMPLE_COUNT_4_BIT;
  const Image drawn = MakeImage(info);
  const VkImageView drawn_view = ViewOf(drawn.handle), resolved_view = ViewOf(resolved.handle);
  const Buffer readback = MakeBuffer(kPassSize * kPassSize * 4);
  StartAsAttachment(drawn.handle);
  StartAsAttachment(resolved.handle);
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = drawn_view;
  color.imageLayout = color.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
  color.resolveImageView = resolved_view;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  const VkRenderingInfo rendering = RenderingTo(color);
  VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  VkAccessFlags writes = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
#ifdef DEFECT
  stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
  writes = VK_ACCESS_TRANSFER_WRITE_BIT;
#endif
  const VkImageMemoryBarrier barrier =
      ImageBarrier(resolved.handle, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, writes, VK_ACCESS_TRANSFER_READ_BIT);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {kPassSize, kPassSize, 1};
  Begin();
  vkCmdBeginRendering(commands, &rendering);
  // @END_2
  vkCmdEndRendering(commands);
  // @MOVE
  vkCmdPipelineBarrier(commands, stages, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr,
                       1, &barrier);
  vkCmdCopyImageToBuffer(commands, resolved.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         readback.handle, 1, &copy);
  Run();
  Destroy(drawn_view, resolved_view, drawn, resolved, readback);
}

// Defect: A rendering resolves depth, and the barrier before the copy of the result waits for
// writes of depth attachments. The resolve of depth writes in the stage of color attachments.
// Fix: The barrier names the stage and the access of color attachments.
// EXPECT error missing-barrier vkCmdPipelineBarrier at BARRIER
// EXPECT-PARTY earlier-access at END_3
// EXPECT-FACT hazard=WAW
static Image MakeTarget(VkSampleCountFlagBits samples, VkImageUsageFlags usage) {
  VkImageCreateInfo info = ImageInfo(kPassSize, kPassSize, VK_FORMAT_D32_SFLOAT);
  info.samples = samples;
  info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | usage;
  return MakeImage(info);
}

static void RenderingResolvesDepthAsColor() {
  constexpr VkImageLayout kLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
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
  // @END_3
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

int main() {
  OpenForRendering();
  RenderingCopiedOut();
  RenderingLoadsAClear();
  ResolveWaitedForAsATransfer();
  Close();
  RenderingResolvesDepthAsColor();
}
