// Defect of_a_sampled_image: A rendering begins with its color attachment in the layout for shaders
// that read it.
// EXPECT error layout-mismatch vkCmdBeginRendering at BEGIN
// EXPECT-FACT vuid=VUID-VkRenderingAttachmentInfo-imageView-06135
// EXIT any
// Defect resolves_into_an_undefined_layout: A rendering resolves into an image that is still in the
// layout of its creation.
// EXPECT error layout-mismatch vkCmdEndRendering at END
// Fix: The attachments are in the layouts that the rendering names.
#include "common/vulkan_rendering.h"

// Fix: The layout is that of an attachment.
static void OfASampledImage() {
  const Rendering made = MakeRendering();
  VkRenderingAttachmentInfo color = ClearedColor(made);
#ifdef DEFECT_of_a_sampled_image
  color.imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
#endif
  const VkRenderingInfo info = RenderingTo(color);
  Begin();
  // @BEGIN
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Destroy(made);
}

// Fix: A barrier moves the image to the layout that the rendering names.
static void ResolvesIntoAnUndefinedLayout() {
  VkImageCreateInfo info = ImageInfo(kPassSize, kPassSize, kRenderingFormat);
  info.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  const Image target = MakeImage(info);
  info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  info.samples = VK_SAMPLE_COUNT_4_BIT;
  const Image drawn = MakeImage(info);
  VkImageView views[2];
  const VkImageViewCreateInfo view_infos[2] = {ViewInfo(drawn.handle, kRenderingFormat),
                                               ViewInfo(target.handle, kRenderingFormat)};
  for (int i = 0; i < 2; ++i) OK(vkCreateImageView(device, &view_infos[i], nullptr, &views[i]));
  Begin();
  const VkImageMemoryBarrier barriers[2] = {
      ImageBarrier(drawn.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, 0,
                   VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT),
      ImageBarrier(target.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, 0,
                   VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT)};
  uint32_t count = 2;
#ifdef DEFECT_resolves_into_an_undefined_layout
  count = 1;
#endif
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr, 0, nullptr,
                       count, barriers);
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = views[0];
  color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  color.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
  color.resolveImageView = views[1];
  color.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  const VkRenderingInfo rendering = RenderingTo(color);
  vkCmdBeginRendering(commands, &rendering);
  // @END
  vkCmdEndRendering(commands);
  Run();
  for (const VkImageView view : views) vkDestroyImageView(device, view, nullptr);
  Destroy(drawn, target);
}

int main() {
  OpenForRendering();
  OfASampledImage();
  ResolvesIntoAnUndefinedLayout();
  Close();
}
