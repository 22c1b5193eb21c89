// Depth and stencil have layouts and uses of their own.
#include "common/vulkan_barriers.h"
#include "common/vulkan_depth.h"
#include "common/vulkan_rendering.h"

// A subpass has depth and stencil in a read-only layout. Its pipelines can write depth, but commands
// switch the write or the test off, or the pipeline discards all primitives.
static void ReadOnlyDepthWithWritesOff() {
  Open();
  DepthWanted wanted;
  wanted.layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
  const DepthPass pass = MakeDepthPass(wanted);
  const VkPipelineLayout layout = MakePipelineLayout();
  const VkPipeline tests = MakeDepthDraws(pass, 0, layout, VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE);
  const VkPipeline writes = MakeDepthDraws(pass, 0, layout, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE);
  const VkPipeline discards =
      MakeDepthDraws(pass, 0, layout, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
  Begin();
  const VkImageMemoryBarrier barrier = DepthBarrier(
      pass.image.handle, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
      VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, 0,
      VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT);
  vkCmdPipelineBarrier(
      commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
      VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT, 0, 0,
      nullptr, 0, nullptr, 1, &barrier);
  const VkRenderPassBeginInfo begin = DepthBegin(pass);
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, tests);
  vkCmdSetDepthTestEnable(commands, VK_FALSE);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, writes);
  vkCmdSetDepthWriteEnable(commands, VK_FALSE);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, discards);
  vkCmdSetRasterizerDiscardEnable(commands, VK_TRUE);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  Run();
  for (VkPipeline pipeline : {tests, writes, discards})
    vkDestroyPipeline(device, pipeline, nullptr);
  Close(layout, pass);
}

// Images whose stencil is made for more than their depth is: it is cleared and copied, which depth
// may not be.
static void StencilWithOtherUses() {
  Open();
  constexpr VkFormat kFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
  VkImageStencilUsageCreateInfo stencil = {VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO};
  stencil.stencilUsage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                         VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  VkImageCreateInfo info = ImageInfo(16, 16, kFormat);
  info.pNext = &stencil;
  info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  VkFormatProperties properties;
  vkGetPhysicalDeviceFormatProperties(physical, kFormat, &properties);
  NEEDS((properties.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT) != 0);
  const Image images[] = {MakeImage(info), MakeImage(info)};
  Begin();
  for (const Image& image : images) {
    VkImageMemoryBarrier barrier =
        ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                     VK_ACCESS_TRANSFER_WRITE_BIT);
    barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 0, nullptr, 0, nullptr, 1, &barrier);
  }
  const VkClearDepthStencilValue three = {0, 3};
  const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1};
  vkCmdClearDepthStencilImage(commands, images[0].handle, VK_IMAGE_LAYOUT_GENERAL, &three, 1, &all);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  VkImageCopy copy = {};
  copy.srcSubresource = copy.dstSubresource = {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1};
  copy.extent = {16, 16, 1};
  vkCmdCopyImage(commands, images[0].handle, VK_IMAGE_LAYOUT_GENERAL, images[1].handle,
                 VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
  Run();
  for (const Image& image : images) Destroy(image);
  Close();
}

// Renderings to the depth or the stencil of an image name layouts that are the layout of the image for this aspect, and
// another one for the other aspect.
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

static void LayoutsOfDepthAndStencil() {
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

int main() {
  ReadOnlyDepthWithWritesOff();
  StencilWithOtherUses();
  LayoutsOfDepthAndStencil();
}
