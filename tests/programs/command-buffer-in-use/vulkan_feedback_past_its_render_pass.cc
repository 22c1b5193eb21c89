// Defect: The render pass ends while transform feedback is active.
// Fix: Transform feedback ends before the render pass.
// EXPECT error command-buffer-in-use vkCmdEndRenderPass at END
// EXPECT-FACT vuid=VUID-vkCmdEndRenderPass-None-02351
// EXIT any
#include "common/vulkan_deferred.h"
#include "shaders/feedback.vert.h"

int main() {
  VkPhysicalDeviceTransformFeedbackFeaturesEXT features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT};
  features.transformFeedback = VK_TRUE;
  Open({.extensions = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME}, .features = &features});
  const auto bind = reinterpret_cast<PFN_vkCmdBindTransformFeedbackBuffersEXT>(
      vkGetDeviceProcAddr(device, "vkCmdBindTransformFeedbackBuffersEXT"));
  const auto start = reinterpret_cast<PFN_vkCmdBeginTransformFeedbackEXT>(
      vkGetDeviceProcAddr(device, "vkCmdBeginTransformFeedbackEXT"));
  const auto stop = reinterpret_cast<PFN_vkCmdEndTransformFeedbackEXT>(
      vkGetDeviceProcAddr(device, "vkCmdEndTransformFeedbackEXT"));
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const Buffer positions = MakeBuffer(256, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
  const VkPipelineLayout layout = MakePipelineLayout();
  const VkPipeline draws = MakeDraws(pass.pass, 0, layout, red_frag, sizeof(red_frag), nullptr,
                                     nullptr, nullptr, feedback_vert, sizeof(feedback_vert));
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  const VkDeviceSize zero = 0;
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draws);
  bind(commands, 0, 1, &positions.handle, &zero, nullptr);
  start(commands, 0, 0, nullptr, nullptr);
  vkCmdDraw(commands, 3, 1, 0, 0);
#ifndef DEFECT
  stop(commands, 0, 0, nullptr, nullptr);
#endif
  // @END
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
#ifndef DEFECT
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
#endif
  Close(draws, layout, positions, pass, image);
}
