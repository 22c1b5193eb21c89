// Defect copy_inside: A helper uploads data while its caller is inside a render pass.
// EXPECT error command-buffer-in-use vkCmdCopyBuffer at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyBuffer-renderpass
// EXIT any
// Defect dispatch_inside: A dispatch is recorded inside a render pass.
// EXPECT error command-buffer-in-use vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-renderpass
// EXIT any
// Defect ended_in_its_first_subpass: A render pass of two subpasses ends in the first one.
// EXPECT error command-buffer-in-use vkCmdEndRenderPass at END
// EXPECT-FACT vuid=VUID-vkCmdEndRenderPass-None-00910
// EXIT any
// Defect feedback_past_its_end: The render pass ends while transform feedback is active.
// EXPECT error command-buffer-in-use vkCmdEndRenderPass at END_2
// EXPECT-FACT vuid=VUID-vkCmdEndRenderPass-None-02351
// EXIT any
// Defect draw_beside_secondary_buffers: A rendering is begun for the contents of secondary command
// buffers, and then draws itself.
// EXPECT error command-buffer-in-use vkCmdDraw at DRAW
// EXPECT-TEXT only valid command
// Defect ended_twice: Conditional rendering ends twice.
// EXPECT error command-buffer-in-use vkCmdEndConditionalRenderingEXT at SECOND
// EXPECT-FACT vuid=VUID-vkCmdEndConditionalRenderingEXT-None-01985
// EXIT any
// Defect not_ended: The recording ends while conditional rendering is active.
// EXPECT error command-buffer-in-use vkEndCommandBuffer at END_3
// EXPECT-FACT vuid=VUID-vkEndCommandBuffer-None-01978
// EXIT any
// Fix: The command is recorded outside of the render pass, which ends in its last subpass.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_conditions.h"
#include "common/vulkan_deferred.h"
#include "common/vulkan_pass.h"
#include "common/vulkan_rendering.h"
#include "shaders/feedback.vert.h"

// Fix: The upload is recorded before the render pass.
static Buffer source, target;

static void Upload() {
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
}

static void CopyInside() {
  const Image image = MakeImage(PassImage());
  source = MakeStaging(4096);
  target = MakeBuffer(4096);
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
#ifndef DEFECT_copy_inside
  Upload();
#endif
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
#ifdef DEFECT_copy_inside
  Upload();
#endif
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Destroy(pass, image, source, target);
}

// Fix: It is recorded before the render pass.
static void Dispatch() {
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
}

static void DispatchInside() {
  const VkBufferUsageFlags usage = kCopies | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  const Buffer input = MakeBuffer(4096, usage), output = MakeBuffer(4096, usage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, input.handle, output.handle);
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
  Bind(compute);
#ifndef DEFECT_dispatch_inside
  Dispatch();
#endif
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
#ifdef DEFECT_dispatch_inside
  Dispatch();
#endif
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Destroy(pass, image, compute, input, output);
}

// Fix: The second subpass is begun first.
static void EndedInItsFirstSubpass() {
  VkSubpassDependency dependency = {};
  dependency.dstSubpass = 1;
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_CLEAR, 1, &dependency);
  const VkRenderPassBeginInfo begin = DeferredBegin(deferred);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
#ifndef DEFECT_ended_in_its_first_subpass
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
#endif
  // @END
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Destroy(deferred);
}

// Fix: Transform feedback ends before the render pass.
static void FeedbackPastItsEnd() {
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
#ifndef DEFECT_feedback_past_its_end
  stop(commands, 0, 0, nullptr, nullptr);
#endif
  // @END_2
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
#ifndef DEFECT_feedback_past_its_end
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
#endif
  Close(draws, layout, positions, pass, image);
}

// Fix: It is begun for its own contents. One for secondary command buffers, which has none,
// precedes it.
static void DrawBesideSecondaryBuffers() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  Begin();
#ifdef DEFECT_draw_beside_secondary_buffers
  BeginRendering(rendering, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
#else
  BeginRendering(rendering, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
  vkCmdEndRendering(commands);
  MemoryBarrier(VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
  BeginRendering(rendering, 0);
#endif
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
#ifdef DEFECT_draw_beside_secondary_buffers
  OK(vkEndCommandBuffer(commands));
#else
  Run();
#endif
  Close(rendering);
}

// Fix: Conditional rendering ends once, before the recording ends.
static void Condition() {
  OpenForConditions();
  const Buffer buffer = MakeBuffer(4096, kCondition);
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer);
  Begin();
  begin_conditional(commands, &info);
#ifndef DEFECT_not_ended
  end_conditional(commands);
#endif
#ifdef DEFECT_ended_twice
  // @SECOND
  end_conditional(commands);
#endif
  // @END_3
  vkEndCommandBuffer(commands);
  Close(buffer);
}

int main() {
  Open();
  CopyInside();
  DispatchInside();
  EndedInItsFirstSubpass();
  Close();
  FeedbackPastItsEnd();
  DrawBesideSecondaryBuffers();
  Condition();
}
