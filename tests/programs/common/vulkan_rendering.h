// Dynamic rendering to one color attachment, and a pipeline for it.
#pragma once

#include <initializer_list>

#include "common/vulkan_deferred.h"

struct Rendering {
  Image image;
  VkImageView view;
  VkPipelineLayout layout;
  VkPipeline draws;
};

[[maybe_unused]] static void OpenForRendering(bool test_device = false) {
  static VkPhysicalDeviceDynamicRenderingFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  features.dynamicRendering = VK_TRUE;
  Open({.features = &features, .test_device = test_device});
}

constexpr VkFormat kRenderingFormat = VK_FORMAT_R8G8B8A8_UNORM;

[[maybe_unused]] static VkCommandBufferInheritanceRenderingInfo RenderingFormats() {
  VkCommandBufferInheritanceRenderingInfo info = {
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO};
  info.colorAttachmentCount = 1;
  info.pColorAttachmentFormats = &kRenderingFormat;
  info.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  return info;
}

// Its image is in VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL. `inputs`, `dynamic`: as for
// MakeDraws.
[[maybe_unused]] static Rendering MakeRendering(
    const VkPipelineVertexInputStateCreateInfo* inputs = nullptr,
    const VkPipelineDynamicStateCreateInfo* dynamic = nullptr) {
  Rendering made;
  made.image = MakeImage(PassImage());
  made.view = ViewOf(made.image.handle, kRenderingFormat);
  made.layout = MakePipelineLayout();
  VkPipelineRenderingCreateInfo formats = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  formats.colorAttachmentCount = 1;
  formats.pColorAttachmentFormats = &kRenderingFormat;
  made.draws = MakeDraws(VK_NULL_HANDLE, 0, made.layout, red_frag, sizeof(red_frag), &formats,
                         inputs, dynamic);
  StartAsAttachment(made.image.handle);
  return made;
}

// Commands set these states of the pipeline.
[[maybe_unused]] static Rendering MakeDynamicRendering(
    std::initializer_list<VkDynamicState> states) {
  VkPipelineDynamicStateCreateInfo dynamic = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = static_cast<uint32_t>(states.size());
  dynamic.pDynamicStates = states.begin();
  return MakeRendering(nullptr, &dynamic);
}

// The attachment, which the rendering clears.
[[maybe_unused]] static VkRenderingAttachmentInfo ClearedColor(const Rendering& rendering) {
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = rendering.view;
  color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  return color;
}

// A rendering to this attachment, which must outlive the result.
[[maybe_unused]] static VkRenderingInfo RenderingTo(const VkRenderingAttachmentInfo& color) {
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {kPassSize, kPassSize};
  info.layerCount = 1;
  info.colorAttachmentCount = 1;
  info.pColorAttachments = &color;
  return info;
}

// Clears.
[[maybe_unused]] static void BeginRendering(const Rendering& rendering, VkRenderingFlags flags) {
  const VkRenderingAttachmentInfo color = ClearedColor(rendering);
  VkRenderingInfo info = RenderingTo(color);
  info.flags = flags;
  vkCmdBeginRendering(commands, &info);
}

[[maybe_unused]] static void Destroy(const Rendering& rendering) {
  vkDestroyPipeline(device, rendering.draws, nullptr);
  vkDestroyPipelineLayout(device, rendering.layout, nullptr);
  vkDestroyImageView(device, rendering.view, nullptr);
  Destroy(rendering.image);
}

[[maybe_unused]] static VkCommandBuffer MakePrimary() {
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer made;
  OK(vkAllocateCommandBuffers(device, &allocate, &made));
  return made;
}

// Records one rendering into the command buffer.
[[maybe_unused]] static void RecordPart(const Rendering& rendering, VkRenderingFlags flags) {
  BeginRendering(rendering, flags);
  vkCmdEndRendering(commands);
}

// Submits the command buffers in one batch.
[[maybe_unused]] static void SubmitParts(const std::vector<VkCommandBuffer>& parts) {
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = static_cast<uint32_t>(parts.size());
  info.pCommandBuffers = parts.data();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}
