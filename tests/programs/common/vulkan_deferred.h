// A render pass of two subpasses that draw: the second one reads as an input attachment what the
// first one drew, and draws to an attachment of its own.
#pragma once

#include "common/vulkan_fixed_state.h"
#include "shaders/corner.vert.h"
#include "shaders/red.frag.h"
#include "shaders/swap.frag.h"
#include "shaders/whole.vert.h"

struct Deferred {
  Image drawn, shown;
  VkImageView views[2];
  VkRenderPass pass;
  VkFramebuffer frame;
  VkDescriptorSetLayout set_layout;
  VkDescriptorPool pool;
  VkDescriptorSet set;
  VkPipelineLayout layout;
  VkPipeline draws, swaps;
};

// Draws one triangle over all of the target, or the vertices of bound buffers if there are
// `inputs`. `dynamic`: the state that commands set; nullptr: none. `vertex`: the vertex shader;
// nullptr: the usual one.
[[maybe_unused]] static VkPipeline MakeDraws(
    VkRenderPass pass, uint32_t subpass, VkPipelineLayout layout, const uint32_t* fragment,
    size_t fragment_bytes, const void* chain = nullptr,
    const VkPipelineVertexInputStateCreateInfo* inputs = nullptr,
    const VkPipelineDynamicStateCreateInfo* dynamic = nullptr, const uint32_t* vertex = nullptr,
    size_t vertex_bytes = 0) {
  VkPipelineShaderStageCreateInfo stages[2] = {};
  VkShaderModule modules[2];
  if (vertex == nullptr) {
    vertex = inputs != nullptr ? corner_vert : whole_vert;
    vertex_bytes = inputs != nullptr ? sizeof(corner_vert) : sizeof(whole_vert);
  }
  const uint32_t* const codes[2] = {vertex, fragment};
  const size_t bytes[2] = {vertex_bytes, fragment_bytes};
  for (int i = 0; i < 2; ++i) {
    modules[i] = MakeModule(codes[i], bytes[i]);
    stages[i].sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    stages[i].stage = i == 0 ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT;
    stages[i].module = modules[i];
    stages[i].pName = "main";
  }
  const FixedState state;
  VkPipelineColorBlendAttachmentState color = {};
  color.colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                         VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
  VkPipelineColorBlendStateCreateInfo blend = {
      VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = 1;
  blend.pAttachments = &color;
  VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.pNext = chain;
  info.stageCount = 2;
  info.pStages = stages;
  state.AddTo(&info);
  if (inputs != nullptr) info.pVertexInputState = inputs;
  // Commands that set viewports or scissors with a count have the only one.
  VkPipelineViewportStateCreateInfo view = *info.pViewportState;
  for (uint32_t i = 0; dynamic != nullptr && i < dynamic->dynamicStateCount; ++i) {
    if (dynamic->pDynamicStates[i] == VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT) view.viewportCount = 0;
    if (dynamic->pDynamicStates[i] == VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT) view.scissorCount = 0;
  }
  info.pViewportState = &view;
  info.pColorBlendState = &blend;
  info.pDynamicState = dynamic;
  info.layout = layout;
  info.renderPass = pass;
  info.subpass = subpass;
  VkPipeline pipeline;
  OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  for (VkShaderModule module : modules) vkDestroyShaderModule(device, module, nullptr);
  return pipeline;
}

// `load`: of what the first subpass draws. It stays in VK_IMAGE_LAYOUT_GENERAL, so that no layout
// changes between the subpasses. `dependencies`: those of the render pass.
[[maybe_unused]] static Deferred MakeDeferred(VkAttachmentLoadOp load, uint32_t dependency_count,
                                              const VkSubpassDependency* dependencies) {
  Deferred made;
  VkImageCreateInfo image = PassImage();
  image.usage |= VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  made.drawn = MakeImage(image);
  made.shown = MakeImage(PassImage());

  VkAttachmentDescription attachments[2] = {};
  for (VkAttachmentDescription& attachment : attachments) {
    attachment.format = VK_FORMAT_R8G8B8A8_UNORM;
    attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.loadOp = load;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    attachment.initialLayout = attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  }
  const VkAttachmentReference drawn = {0, VK_IMAGE_LAYOUT_GENERAL};
  const VkAttachmentReference shown = {1, VK_IMAGE_LAYOUT_GENERAL};
  VkSubpassDescription subpasses[2] = {};
  for (VkSubpassDescription& subpass : subpasses) {
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.colorAttachmentCount = 1;
  }
  subpasses[0].pColorAttachments = &drawn;
  subpasses[1].pColorAttachments = &shown;
  subpasses[1].inputAttachmentCount = 1;
  subpasses[1].pInputAttachments = &drawn;
  VkRenderPassCreateInfo pass = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  pass.attachmentCount = 2;
  pass.pAttachments = attachments;
  pass.subpassCount = 2;
  pass.pSubpasses = subpasses;
  pass.dependencyCount = dependency_count;
  pass.pDependencies = dependencies;
  OK(vkCreateRenderPass(device, &pass, nullptr, &made.pass));

  const VkImage images[2] = {made.drawn.handle, made.shown.handle};
  for (int i = 0; i < 2; ++i) made.views[i] = ViewOf(images[i]);
  VkFramebufferCreateInfo frame = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  frame.renderPass = made.pass;
  frame.attachmentCount = 2;
  frame.pAttachments = made.views;
  frame.width = frame.height = kPassSize;
  frame.layers = 1;
  OK(vkCreateFramebuffer(device, &frame, nullptr, &made.frame));

  VkDescriptorSetLayoutBinding binding = {};
  binding.descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  binding.descriptorCount = 1;
  binding.stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT;
  made.set_layout = MakeSetLayout(1, &binding);
  made.layout = MakePipelineLayout(made.set_layout);
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1};
  made.pool = MakeSetPool(1, &size);
  made.set = AllocateSet(made.pool, made.set_layout);
  const VkDescriptorImageInfo input = {VK_NULL_HANDLE, made.views[0], VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = made.set;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  write.pImageInfo = &input;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  made.draws = MakeDraws(made.pass, 0, made.layout, red_frag, sizeof(red_frag));
  made.swaps = MakeDraws(made.pass, 1, made.layout, swap_frag, sizeof(swap_frag));

  Begin();
  for (VkImage handle : images) {
    const VkImageMemoryBarrier barrier =
        ImageBarrier(handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                     VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr, 0, nullptr,
                         1, &barrier);
  }
  Run();
  return made;
}

[[maybe_unused]] static VkRenderPassBeginInfo DeferredBegin(const Deferred& deferred) {
  static const VkClearValue black[2] = {};
  VkRenderPassBeginInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  info.renderPass = deferred.pass;
  info.framebuffer = deferred.frame;
  info.renderArea.extent = {kPassSize, kPassSize};
  info.clearValueCount = 2;
  info.pClearValues = black;
  return info;
}

// For the draws of the first subpass, and for those of the second.
[[maybe_unused]] static void BindFirst(const Deferred& deferred) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, deferred.draws);
}
[[maybe_unused]] static void BindSecond(const Deferred& deferred) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, deferred.swaps);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, deferred.layout, 0, 1,
                          &deferred.set, 0, nullptr);
}

[[maybe_unused]] static void Destroy(const Deferred& deferred) {
  vkDestroyPipeline(device, deferred.draws, nullptr);
  vkDestroyPipeline(device, deferred.swaps, nullptr);
  vkDestroyPipelineLayout(device, deferred.layout, nullptr);
  vkDestroyDescriptorPool(device, deferred.pool, nullptr);
  vkDestroyDescriptorSetLayout(device, deferred.set_layout, nullptr);
  vkDestroyFramebuffer(device, deferred.frame, nullptr);
  vkDestroyRenderPass(device, deferred.pass, nullptr);
  for (VkImageView view : deferred.views) vkDestroyImageView(device, view, nullptr);
  Destroy(deferred.drawn);
  Destroy(deferred.shown);
}
