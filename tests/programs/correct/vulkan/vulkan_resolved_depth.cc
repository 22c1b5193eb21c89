// Depth of several samples is resolved at the end of a pass, which counts as a write of a color
// attachment: that is what the barriers and dependencies behind it name. Once in a render pass,
// once rendered dynamically.
#include "common/vulkan.h"

namespace {

constexpr VkFormat kFormat = VK_FORMAT_D32_SFLOAT;
constexpr uint32_t kSize = 16;
constexpr VkImageLayout kDrawn = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                        kRead = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
constexpr VkPipelineStageFlags kResolves = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkPipelineStageFlags kTests =
    VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
constexpr VkAccessFlags kTestAccess =
    VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;

struct Attachment {
  Image image;
  VkImageView view;
};

Attachment Make(VkSampleCountFlagBits samples) {
  Attachment made;
  VkImageCreateInfo info = ImageInfo(kSize, kSize, kFormat);
  info.samples = samples;
  info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  made.image = MakeImage(info);
  const VkImageViewCreateInfo view =
      ViewInfo(made.image.handle, kFormat, {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1});
  OK(vkCreateImageView(device, &view, nullptr, &made.view));
  return made;
}

void Destroy(const Attachment& attachment) {
  vkDestroyImageView(device, attachment.view, nullptr);
  Destroy(attachment.image);
}

void CmdChange(const Attachment& attachment, VkImageLayout from, VkImageLayout to,
               VkPipelineStageFlags source, VkAccessFlags source_access,
               VkPipelineStageFlags target, VkAccessFlags target_access) {
  VkImageMemoryBarrier barrier =
      ImageBarrier(attachment.image.handle, from, to, source_access, target_access);
  barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  vkCmdPipelineBarrier(commands, source, target, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

void CmdReadBack(const Attachment& attachment, const Buffer& target) {
  VkBufferImageCopy all = {};
  all.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1};
  all.imageExtent = {kSize, kSize, 1};
  vkCmdCopyImageToBuffer(commands, attachment.image.handle, kRead, target.handle, 1, &all);
}

void Dynamically(const Buffer& target) {
  const Attachment samples = Make(VK_SAMPLE_COUNT_4_BIT), one = Make(VK_SAMPLE_COUNT_1_BIT);
  Begin();
  CmdChange(samples, VK_IMAGE_LAYOUT_UNDEFINED, kDrawn, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0,
            kTests, kTestAccess);
  CmdChange(one, VK_IMAGE_LAYOUT_UNDEFINED, kDrawn, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, kResolves,
            VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
  VkRenderingAttachmentInfo depth = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  depth.imageView = samples.view;
  depth.imageLayout = depth.resolveImageLayout = kDrawn;
  depth.resolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
  depth.resolveImageView = one.view;
  depth.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  depth.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {kSize, kSize};
  info.layerCount = 1;
  info.pDepthAttachment = &depth;
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  CmdChange(one, kDrawn, kRead, kResolves, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
            VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  CmdReadBack(one, target);
  Run();
  Destroy(samples);
  Destroy(one);
}

void InPass(const Buffer& target) {
  const Attachment samples = Make(VK_SAMPLE_COUNT_4_BIT), one = Make(VK_SAMPLE_COUNT_1_BIT);
  VkAttachmentDescription2 descriptions[2];
  for (VkAttachmentDescription2& description : descriptions) {
    description = {VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2};
    description.format = kFormat;
    description.loadOp = description.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    description.storeOp = description.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    description.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    description.finalLayout = kDrawn;
  }
  descriptions[0].samples = VK_SAMPLE_COUNT_4_BIT;
  descriptions[0].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  descriptions[1].samples = VK_SAMPLE_COUNT_1_BIT;
  descriptions[1].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  descriptions[1].finalLayout = kRead;
  VkAttachmentReference2 references[2];
  for (uint32_t i = 0; i < 2; ++i) {
    references[i] = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2};
    references[i].attachment = i;
    references[i].layout = kDrawn;
    references[i].aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  }
  VkSubpassDescriptionDepthStencilResolve resolve = {
      VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE};
  resolve.depthResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
  resolve.stencilResolveMode = VK_RESOLVE_MODE_NONE;
  resolve.pDepthStencilResolveAttachment = &references[1];
  VkSubpassDescription2 subpass = {VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, &resolve};
  subpass.pDepthStencilAttachment = &references[0];
  VkSubpassDependency2 dependencies[2];
  for (VkSubpassDependency2& dependency : dependencies)
    dependency = {VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2};
  dependencies[0].srcSubpass = dependencies[1].dstSubpass = VK_SUBPASS_EXTERNAL;
  dependencies[0].srcStageMask = dependencies[0].dstStageMask = kResolves | kTests;
  dependencies[0].dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | kTestAccess;
  dependencies[1].srcStageMask = kResolves;
  dependencies[1].srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependencies[1].dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT;
  dependencies[1].dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  VkRenderPassCreateInfo2 pass_info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2};
  pass_info.attachmentCount = 2;
  pass_info.pAttachments = descriptions;
  pass_info.subpassCount = 1;
  pass_info.pSubpasses = &subpass;
  pass_info.dependencyCount = 2;
  pass_info.pDependencies = dependencies;
  VkRenderPass pass;
  OK(vkCreateRenderPass2(device, &pass_info, nullptr, &pass));
  const VkImageView views[] = {samples.view, one.view};
  VkFramebufferCreateInfo frame_info = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  frame_info.renderPass = pass;
  frame_info.attachmentCount = 2;
  frame_info.pAttachments = views;
  frame_info.width = frame_info.height = kSize;
  frame_info.layers = 1;
  VkFramebuffer frame;
  OK(vkCreateFramebuffer(device, &frame_info, nullptr, &frame));
  const VkClearValue clear[2] = {};
  VkRenderPassBeginInfo begin = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  begin.renderPass = pass;
  begin.framebuffer = frame;
  begin.renderArea.extent = {kSize, kSize};
  begin.clearValueCount = 2;
  begin.pClearValues = clear;
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  CmdReadBack(one, target);
  Run();
  vkDestroyFramebuffer(device, frame, nullptr);
  vkDestroyRenderPass(device, pass, nullptr);
  Destroy(samples);
  Destroy(one);
}

}  // namespace

int main() {
  VkPhysicalDeviceDynamicRenderingFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  features.dynamicRendering = VK_TRUE;
  Open({.features = &features});
  const Buffer target = MakeBuffer(kSize * kSize * 4);
  Dynamically(target);
  InPass(target);
  Close(target);
}
