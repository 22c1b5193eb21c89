// Subpasses depend on themselves and on each other.
#include "common/vulkan_deferred.h"
#include "common/vulkan_pass.h"

// A subpass that clears parts of its attachment, and by a barrier within it, as a dependency of the
// subpass on itself allows, between them; its framebuffer gets its image when the pass begins, and
// depth and stencil have layouts of their own.
static void SubpassWaitsForItself() {
  VkPhysicalDeviceVulkan12Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  features.imagelessFramebuffer = features.separateDepthStencilLayouts = VK_TRUE;
  Open({.features = &features});
  constexpr VkFormat kDepth = VK_FORMAT_D32_SFLOAT_S8_UINT;
  constexpr VkImageAspectFlags kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  const Image color = MakeImage(PassImage());
  VkImageCreateInfo depth_info = ImageInfo(kPassSize, kPassSize, kDepth);
  depth_info.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  const Image depth = MakeImage(depth_info);
  const Buffer target = MakeBuffer(kPassSize * kPassSize * 4);

  VkAttachmentDescriptionStencilLayout stencil = {
      VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT};
  stencil.stencilInitialLayout = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
  stencil.stencilFinalLayout = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
  VkAttachmentDescription2 attachments[2] = {{VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2},
                                             {VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2}};
  attachments[0].format = VK_FORMAT_R8G8B8A8_UNORM;
  attachments[0].samples = attachments[1].samples = VK_SAMPLE_COUNT_1_BIT;
  attachments[0].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachments[0].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachments[0].initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  attachments[0].finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  attachments[1].pNext = &stencil;
  attachments[1].format = kDepth;
  attachments[1].loadOp = attachments[1].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  attachments[1].storeOp = attachments[1].stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachments[1].initialLayout = attachments[1].finalLayout =
      VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
  VkAttachmentReferenceStencilLayout reads = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT};
  reads.stencilLayout = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
  const VkAttachmentReference2 color_use = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 0,
                                            VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                            VK_IMAGE_ASPECT_COLOR_BIT};
  const VkAttachmentReference2 depth_use = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, &reads, 1,
                                            VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                                            VK_IMAGE_ASPECT_DEPTH_BIT};
  VkSubpassDescription2 subpass = {VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color_use;
  subpass.pDepthStencilAttachment = &depth_use;
  VkSubpassDependency2 dependencies[2] = {{VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2},
                                          {VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2}};
  dependencies[0].srcSubpass = dependencies[0].dstSubpass = 0;
  dependencies[0].srcStageMask = dependencies[0].dstStageMask =
      VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependencies[0].srcAccessMask = dependencies[0].dstAccessMask =
      VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependencies[0].dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
  dependencies[1].srcSubpass = 0;
  dependencies[1].dstSubpass = VK_SUBPASS_EXTERNAL;
  dependencies[1].srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependencies[1].srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependencies[1].dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT;
  dependencies[1].dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  VkRenderPassCreateInfo2 info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2};
  info.attachmentCount = 2;
  info.pAttachments = attachments;
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  info.dependencyCount = 2;
  info.pDependencies = dependencies;
  VkRenderPass pass;
  OK(vkCreateRenderPass2(device, &info, nullptr, &pass));

  VkImageView views[2];
  for (int i = 0; i < 2; ++i) {
    VkImageViewCreateInfo view =
        ViewInfo(i == 0 ? color.handle : depth.handle, i == 0 ? VK_FORMAT_R8G8B8A8_UNORM : kDepth);
    if (i == 1) view.subresourceRange.aspectMask = kBoth;
    OK(vkCreateImageView(device, &view, nullptr, &views[i]));
  }
  VkFramebufferAttachmentImageInfo images[2] = {
      {VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO},
      {VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO}};
  const VkFormat formats[2] = {VK_FORMAT_R8G8B8A8_UNORM, kDepth};
  for (int i = 0; i < 2; ++i) {
    images[i].usage = i == 0 ? PassImage().usage : depth_info.usage;
    images[i].width = images[i].height = kPassSize;
    images[i].layerCount = 1;
    images[i].viewFormatCount = 1;
    images[i].pViewFormats = &formats[i];
  }
  VkFramebufferAttachmentsCreateInfo all_images = {
      VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO};
  all_images.attachmentImageInfoCount = 2;
  all_images.pAttachmentImageInfos = images;
  VkFramebufferCreateInfo frame_info = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, &all_images};
  frame_info.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
  frame_info.renderPass = pass;
  frame_info.attachmentCount = 2;
  frame_info.width = frame_info.height = kPassSize;
  frame_info.layers = 1;
  VkFramebuffer frame;
  OK(vkCreateFramebuffer(device, &frame_info, nullptr, &frame));

  Begin();
  VkImageMemoryBarrier apart[2];
  for (int i = 0; i < 2; ++i) {
    apart[i] = ImageBarrier(depth.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                            VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
    apart[i].subresourceRange.aspectMask =
        i == 0 ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_STENCIL_BIT;
  }
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 2, apart);
  const VkClearDepthStencilValue far = {1, 0};
  const VkImageSubresourceRange both = {kBoth, 0, 1, 0, 1};
  vkCmdClearDepthStencilImage(commands, depth.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &far, 1,
                              &both);
  for (int i = 0; i < 2; ++i) {
    apart[i].oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    apart[i].newLayout = i == 0 ? VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL
                                : VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
    apart[i].srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    apart[i].dstAccessMask = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                             VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  }
  vkCmdPipelineBarrier(
      commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
      VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT, 0, 0,
      nullptr, 0, nullptr, 2, apart);
  VkRenderPassAttachmentBeginInfo given = {VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO};
  given.attachmentCount = 2;
  given.pAttachments = views;
  const VkClearValue clears[2] = {};
  VkRenderPassBeginInfo begin = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, &given};
  begin.renderPass = pass;
  begin.framebuffer = frame;
  begin.renderArea.extent = {kPassSize, kPassSize};
  begin.clearValueCount = 2;
  begin.pClearValues = clears;
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
  const VkClearRect rect = {{{0, 0}, {kPassSize, kPassSize / 2}}, 0, 1};
  vkCmdClearAttachments(commands, 1, &clear, 1, &rect);
  VkMemoryBarrier within = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  within.srcAccessMask = within.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                       VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_DEPENDENCY_BY_REGION_BIT, 1,
                       &within, 0, nullptr, 0, nullptr);
  vkCmdClearAttachments(commands, 1, &clear, 1, &rect);
  vkCmdEndRenderPass(commands);
  VkBufferImageCopy region = {};
  region.imageSubresource = kFirst;
  region.imageExtent = {kPassSize, kPassSize, 1};
  vkCmdCopyImageToBuffer(commands, color.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         target.handle, 1, &region);
  Run();
  vkDestroyFramebuffer(device, frame, nullptr);
  for (VkImageView view : views) vkDestroyImageView(device, view, nullptr);
  Close(pass, color, depth, target);
}

// A render pass whose subpasses draw, load, clear and read each other's attachments, twice in one
// command buffer: within a subpass draws need nothing between them, between subpasses and between the
// passes the dependencies order.
static void SubpassesTwice() {
  Open();
  VkSubpassDependency dependencies[3] = {};
  // What the pass before read, drew and stored, in front of the first and of the second subpass.
  for (uint32_t i = 0; i < 2; ++i) {
    dependencies[i].srcSubpass = VK_SUBPASS_EXTERNAL;
    dependencies[i].dstSubpass = i;
    dependencies[i].srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                   VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
    dependencies[i].srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    dependencies[i].dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    dependencies[i].dstAccessMask =
        VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  }
  dependencies[2].srcSubpass = 0;
  dependencies[2].dstSubpass = 1;
  dependencies[2].srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependencies[2].srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependencies[2].dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependencies[2].dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_LOAD, 3, dependencies);
  VkClearAttachment part = {};
  part.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
  const VkClearRect rect = {{{4, 4}, {8, 8}}, 0, 1};
  const VkRenderPassBeginInfo begin = DeferredBegin(deferred);
  Begin();
  for (int i = 0; i < 2; ++i) {
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    BindFirst(deferred);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdClearAttachments(commands, 1, &part, 1, &rect);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
    BindSecond(deferred);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(commands);
  }
  Run();
  Close(deferred);
}

int main() {
  SubpassWaitsForItself();
  SubpassesTwice();
}
