// Renderings to the depth or the stencil of an image name layouts that are the layout of the image for this aspect, and
// another one for the other aspect.
#include "common/vulkan_depth.h"
#include "common/vulkan_rendering.h"

static void Render(VkImageView view, VkImageLayout layout, bool depth) {
  VkRenderingAttachmentInfo attachment = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  attachment.imageView = view;
  attachment.imageLayout = layout;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {16, 16};
  info.layerCount = 1;
  (depth ? info.pDepthAttachment : info.pStencilAttachment) = &attachment;
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
}

int main() {
  OpenForRendering();
  VkImageCreateInfo info = ImageInfo(16, 16, kDepthFormat);
  info.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  const Image image = MakeImage(info);
  VkImageSubresourceRange both = kWhole;
  both.aspectMask = kDepthAspects;
  const VkImageViewCreateInfo view_info = ViewInfo(image.handle, kDepthFormat, both);
  VkImageView view;
  OK(vkCreateImageView(device, &view_info, nullptr, &view));
  const VkClearDepthStencilValue clear = {1, 0};
  constexpr VkPipelineStageFlags kTests =
      VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  constexpr VkAccessFlags kUses = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                  VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  Begin();
  const VkImageMemoryBarrier to_clear =
      DepthBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_clear);
  vkCmdClearDepthStencilImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &clear,
                              1, &both);
  VkImageMemoryBarrier barrier = DepthBarrier(
      image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
      VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL, VK_ACCESS_TRANSFER_WRITE_BIT, kUses);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, kTests, 0, 0, nullptr, 0, nullptr,
                       1, &barrier);
  Render(view, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, true);
  Render(view, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, false);
  barrier = DepthBarrier(image.handle, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL,
                         VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL, kUses, kUses);
  vkCmdPipelineBarrier(commands, kTests, kTests, 0, 0, nullptr, 0, nullptr, 1, &barrier);
  Render(view, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, true);
  Render(view, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, false);
  Run();
  Close(view, image);
}
