// Defect: What a rendering stores or loads is not ordered with a copy, a clear or a barrier.
// Fix: A barrier for color attachments is between the two.
#include "common/vulkan_barriers.h"
#include "common/vulkan_general.h"
#include "common/vulkan_rendering.h"

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

// Defect: The barrier behind a rendering that resolves its attachment waits for transfers, as behind vkCmdResolveImage.
// Fix: It waits for the stage that writes attachments, which also resolves them.
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
      ImageBarrier(resolved.handle, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                   writes, VK_ACCESS_TRANSFER_READ_BIT);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {kPassSize, kPassSize, 1};
  Begin();
  vkCmdBeginRendering(commands, &rendering);
  // @END_2
  vkCmdEndRendering(commands);
  // @MOVE
  vkCmdPipelineBarrier(commands, stages, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
  vkCmdCopyImageToBuffer(commands, resolved.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, readback.handle, 1, &copy);
  Run();
  Destroy(drawn_view, resolved_view, drawn, resolved, readback);
}

int main() {
  OpenForRendering();
  RenderingCopiedOut();
  RenderingLoadsAClear();
  ResolveWaitedForAsATransfer();
  Close();
}
