// Draws whose positions transform feedback captures.
#pragma once

#include "common/vulkan_deferred.h"
#include "shaders/feedback.vert.h"

struct Captures {
  Image image;
  Pass pass;
  VkPipelineLayout layout;
  VkPipeline draws;
  Buffer positions;  // for 8 triangles
  Buffer counter;
};

constexpr VkDeviceSize kTriangleBytes = 48, kCapturedBytes = 8 * kTriangleBytes;
constexpr VkAccessFlags kCaptured = VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT;
constexpr VkAccessFlags kCounted = VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT;
constexpr VkPipelineStageFlags kCaptureStage = VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT;

#pragma GCC visibility push(hidden)
inline PFN_vkCmdBindTransformFeedbackBuffersEXT bind_captures;
inline PFN_vkCmdBeginTransformFeedbackEXT begin_captures;
inline PFN_vkCmdEndTransformFeedbackEXT end_captures;
inline PFN_vkCmdDrawIndirectByteCountEXT draw_captured;
#pragma GCC visibility pop

[[maybe_unused]] static void OpenForCaptures() {
  VkPhysicalDeviceTransformFeedbackFeaturesEXT features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT};
  features.transformFeedback = VK_TRUE;
  Open({{VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME}, &features});
  bind_captures = reinterpret_cast<PFN_vkCmdBindTransformFeedbackBuffersEXT>(
      vkGetDeviceProcAddr(device, "vkCmdBindTransformFeedbackBuffersEXT"));
  begin_captures = reinterpret_cast<PFN_vkCmdBeginTransformFeedbackEXT>(
      vkGetDeviceProcAddr(device, "vkCmdBeginTransformFeedbackEXT"));
  end_captures = reinterpret_cast<PFN_vkCmdEndTransformFeedbackEXT>(
      vkGetDeviceProcAddr(device, "vkCmdEndTransformFeedbackEXT"));
  draw_captured = reinterpret_cast<PFN_vkCmdDrawIndirectByteCountEXT>(
      vkGetDeviceProcAddr(device, "vkCmdDrawIndirectByteCountEXT"));
}

[[maybe_unused]] static Captures MakeCaptures() {
  Captures made;
  made.image = MakeImage(PassImage());
  made.pass = MakePass(made.image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr);
  StartAsAttachment(made.image.handle);
  made.layout = MakePipelineLayout();
  made.draws = MakeDraws(made.pass.pass, 0, made.layout, red_frag, sizeof(red_frag), nullptr,
                         nullptr, nullptr, feedback_vert, sizeof(feedback_vert));
  made.positions =
      MakeBuffer(kCapturedBytes, kCopies | VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
                                     VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  made.counter =
      MakeBuffer(256, kCopies | VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                          VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  return made;
}

[[maybe_unused]] static void Destroy(const Captures& made) {
  Destroy(made.positions);
  Destroy(made.counter);
  vkDestroyPipeline(device, made.draws, nullptr);
  vkDestroyPipelineLayout(device, made.layout, nullptr);
  Destroy(made.pass);
  Destroy(made.image);
}

// Begins the render pass and binds the pipeline and the buffer.
[[maybe_unused]] static void BeginDraws(const Captures& made) {
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(made.pass, &clear);
  const VkDeviceSize zero = 0;
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, made.draws);
  bind_captures(commands, 0, 1, &made.positions.handle, &zero, nullptr);
}

// Orders the passes of the program: the image has one attachment.
[[maybe_unused]] static void OrderPasses() {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = barrier.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                       VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
}

[[maybe_unused]] static void Order(VkPipelineStageFlags from, VkAccessFlags source,
                                   VkPipelineStageFlags to, VkAccessFlags target) {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, source, target};
  vkCmdPipelineBarrier(commands, from, to, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}
