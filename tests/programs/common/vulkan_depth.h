// A render pass with an attachment of depth and stencil alone, which one or two subpasses draw to.
#pragma once

#include "common/vulkan_fixed_state.h"
#include "shaders/whole.vert.h"

constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
constexpr VkImageAspectFlags kDepthAspects =
    VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;

struct DepthPass {
  Image image;
  VkImageView view;
  VkRenderPass pass;
  VkFramebuffer frame;
};

// What differs between the programs.
struct DepthWanted {
  VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_LOAD, stencil_load = VK_ATTACHMENT_LOAD_OP_LOAD;
  VkImageLayout final_layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
  // Of the attachment in the subpasses.
  VkImageLayout layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
  uint32_t subpasses = 1;
  std::vector<VkSubpassDependency> dependencies = {};
};

// A barrier of both aspects.
[[maybe_unused]] static VkImageMemoryBarrier DepthBarrier(VkImage image, VkImageLayout from,
                                                          VkImageLayout to,
                                                          VkAccessFlags source_access,
                                                          VkAccessFlags target_access) {
  VkImageMemoryBarrier barrier = ImageBarrier(image, from, to, source_access, target_access);
  barrier.subresourceRange.aspectMask = kDepthAspects;
  return barrier;
}

// The image is in VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, and cleared.
[[maybe_unused]] static DepthPass MakeDepthPass(const DepthWanted& wanted) {
  DepthPass made;
  VkFormatProperties properties;
  vkGetPhysicalDeviceFormatProperties(physical, kDepthFormat, &properties);
  NEEDS((properties.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT) != 0);
  VkImageCreateInfo image = ImageInfo(kPassSize, kPassSize, kDepthFormat);
  image.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  made.image = MakeImage(image);

  VkAttachmentDescription attachment = {};
  attachment.format = kDepthFormat;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = wanted.load;
  attachment.stencilLoadOp = wanted.stencil_load;
  attachment.storeOp = attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.initialLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
  attachment.finalLayout = wanted.final_layout;
  const VkAttachmentReference reference = {0, wanted.layout};
  VkSubpassDescription subpass = {};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.pDepthStencilAttachment = &reference;
  const std::vector<VkSubpassDescription> subpasses(wanted.subpasses, subpass);
  VkRenderPassCreateInfo pass = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  pass.attachmentCount = 1;
  pass.pAttachments = &attachment;
  pass.subpassCount = wanted.subpasses;
  pass.pSubpasses = subpasses.data();
  pass.dependencyCount = static_cast<uint32_t>(wanted.dependencies.size());
  pass.pDependencies = wanted.dependencies.data();
  OK(vkCreateRenderPass(device, &pass, nullptr, &made.pass));

  made.view = ViewOf(made.image.handle, kDepthFormat, {kDepthAspects, 0, 1, 0, 1});
  VkFramebufferCreateInfo frame = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  frame.renderPass = made.pass;
  frame.attachmentCount = 1;
  frame.pAttachments = &made.view;
  frame.width = frame.height = kPassSize;
  frame.layers = 1;
  OK(vkCreateFramebuffer(device, &frame, nullptr, &made.frame));

  Begin();
  VkImageMemoryBarrier barrier =
      DepthBarrier(made.image.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
  const VkClearDepthStencilValue one = {1, 0};
  vkCmdClearDepthStencilImage(commands, made.image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                              &one, 1, &barrier.subresourceRange);
  barrier = DepthBarrier(made.image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                         VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                         VK_ACCESS_TRANSFER_WRITE_BIT, 0);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  Run();
  return made;
}

// Of the pass, and a clear value for it.
[[maybe_unused]] static VkRenderPassBeginInfo DepthBegin(const DepthPass& pass) {
  static const VkClearValue zero = {};
  VkRenderPassBeginInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  info.renderPass = pass.pass;
  info.framebuffer = pass.frame;
  info.renderArea.extent = {kPassSize, kPassSize};
  info.clearValueCount = 1;
  info.pClearValues = &zero;
  return info;
}

// Draws of it test and write depth, and have no fragment shader. `dynamic`: this state, the command
// buffer sets.
[[maybe_unused]] static VkPipeline MakeDepthDraws(
    const DepthPass& pass, uint32_t subpass, VkPipelineLayout layout,
    VkDynamicState dynamic = VK_DYNAMIC_STATE_MAX_ENUM) {
  VkPipelineShaderStageCreateInfo stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  stage.stage = VK_SHADER_STAGE_VERTEX_BIT;
  stage.pName = "main";
  stage.module = MakeModule(whole_vert, sizeof(whole_vert));
  const FixedState state;
  VkPipelineDepthStencilStateCreateInfo depth = {
      VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = depth.depthWriteEnable = VK_TRUE;
  depth.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  VkPipelineDynamicStateCreateInfo states = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  states.dynamicStateCount = 1;
  states.pDynamicStates = &dynamic;
  VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.stageCount = 1;
  info.pStages = &stage;
  state.AddTo(&info);
  info.pDepthStencilState = &depth;
  info.pDynamicState = dynamic != VK_DYNAMIC_STATE_MAX_ENUM ? &states : nullptr;
  info.layout = layout;
  info.renderPass = pass.pass;
  info.subpass = subpass;
  VkPipeline pipeline;
  OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  vkDestroyShaderModule(device, stage.module, nullptr);
  return pipeline;
}

[[maybe_unused]] static void Destroy(const DepthPass& pass) {
  vkDestroyFramebuffer(device, pass.frame, nullptr);
  vkDestroyImageView(device, pass.view, nullptr);
  vkDestroyRenderPass(device, pass.pass, nullptr);
  Destroy(pass.image);
}
