// Defect of_a_layer_too_many: vkCmdClearAttachments clears two layers in a render pass that draws
// to one.
// EXPECT error image-region-out-of-bounds vkCmdClearAttachments at CLEAR
// EXPECT-FACT vuid=VUID-vkCmdClearAttachments-pRects-06937
// EXIT any
// Defect of_a_level_too_many: Clears mip levels 1 and 2 of an image with two levels.
// EXPECT error image-region-out-of-bounds vkCmdClearColorImage at CLEAR_2
// EXPECT-FACT vuid=VUID-vkCmdClearColorImage-pRanges-01692
// EXIT any
// Defect without_rows: A clear inside a rendering has a rectangle without rows.
// EXPECT error image-region-out-of-bounds vkCmdClearAttachments at CLEAR_3
// EXPECT-FACT vuid=VUID-vkCmdClearAttachments-rect-02683
// EXIT any
// Fix: The clear has the levels, layers and rows of its image.
#include "common/vulkan.h"
#include "common/vulkan_pass.h"
#include "common/vulkan_rendering.h"

// Fix: It clears the one layer.
static void OfALayerTooMany() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr,
                             VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue zero = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &zero);
  VkClearAttachment clear = {};
  clear.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
  VkClearRect area = {{{0, 0}, {kPassSize, kPassSize}}, 0, 1};
#ifdef DEFECT_of_a_layer_too_many
  area.layerCount = 2;
#endif
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @CLEAR
  vkCmdClearAttachments(commands, 1, &clear, 1, &area);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pass, image);
}

// Fix: Clears the levels from level 1 on.
static void OfALevelTooMany() {
  Open();
  VkImageCreateInfo info = ImageInfo(64, 64);
  info.mipLevels = 2;
  const Image image = MakeImage(info);
  VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 1, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
#ifdef DEFECT_of_a_level_too_many
  range.levelCount = 2;
#endif
  const VkClearColorValue color = {};
  Begin();
  VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  barrier.subresourceRange.levelCount = VK_REMAINING_MIP_LEVELS;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0,
                       nullptr, 1, &barrier);
  // @CLEAR_2
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1, &range);
#ifndef DEFECT_of_a_level_too_many
  Run();
#endif
  Close(image);
}

// Fix: The rectangle has rows.
static void WithoutRows() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  Begin();
  BeginRendering(rendering, 0);
  VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT};
  VkClearRect rect = {{{0, 0}, {kPassSize, kPassSize}}, 0, 1};
#ifdef DEFECT_without_rows
  rect.rect.extent.height = 0;
#endif
  // @CLEAR_3
  vkCmdClearAttachments(commands, 1, &clear, 1, &rect);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(rendering);
}

int main() {
  OfALayerTooMany();
  OfALevelTooMany();
  WithoutRows();
}
