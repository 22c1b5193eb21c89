// Defect buffer_of_a_waiting_submission: Destroys a buffer that a submission uses, which still
// waits for a timeline value.
// EXPECT error free-in-flight vkDestroyBuffer at DESTROY
// EXPECT-FACT vuid=VUID-vkDestroyBuffer-buffer-00922
// EXPECT-PARTY pending-command
// MAY use-after-free
// EXIT any
// Defect render_pass: Destroys what a submitted render pass uses before the submission is known to
// be complete: the framebuffer, the render pass itself, and the view that its draws read as an
// input attachment.
// EXPECT error free-in-flight vkDestroyFramebuffer at FRAME
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkDestroyFramebuffer-framebuffer-00892
// EXPECT error free-in-flight vkDestroyRenderPass at PASS
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkDestroyRenderPass-renderPass-00873
// EXPECT error free-in-flight vkDestroyImageView at VIEW
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkDestroyImageView-imageView-01026
// EXIT any
// Fix: The program destroys the objects after the submission is complete.
#include "common/vulkan_barriers.h"
#include "common/vulkan_deferred.h"
#include "common/vulkan_timeline.h"

// Fix: Signals the value and waits for the submission first.
static void BufferOfAWaitingSubmission() {
  OpenWithTimelines();
  const VkSemaphore semaphore = MakeTimeline();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  SubmitBetween(semaphore, 1, 2);
  VkSemaphoreSignalInfo now = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  now.semaphore = semaphore;
  now.value = 1;
#ifndef DEFECT_buffer_of_a_waiting_submission
  OK(vkSignalSemaphore(device, &now));
  OK(vkQueueWaitIdle(queue));
#endif
  // @DESTROY
  vkDestroyBuffer(device, b.handle, nullptr);
#ifdef DEFECT_buffer_of_a_waiting_submission
  OK(vkSignalSemaphore(device, &now));
  OK(vkQueueWaitIdle(queue));
#endif
  Close(b.memory, semaphore, a);
}

// Fix: Waits first. The pipelines were created for a render pass that no longer exists, which is
// allowed.
static void RenderPass() {
  Open();
  const VkSubpassDependency dependency = InputDependency();
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_CLEAR, 1, &dependency);
  const VkRenderPassBeginInfo begin = DeferredBegin(deferred);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  BindFirst(deferred);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  BindSecond(deferred);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT_render_pass
  OK(vkQueueWaitIdle(queue));
#endif
  // @FRAME
  vkDestroyFramebuffer(device, deferred.frame, nullptr);
  // @PASS
  vkDestroyRenderPass(device, deferred.pass, nullptr);
  // @VIEW
  vkDestroyImageView(device, deferred.views[0], nullptr);
#ifdef DEFECT_render_pass
  OK(vkQueueWaitIdle(queue));
#endif
  Close(deferred.draws, deferred.swaps, deferred.layout, deferred.pool, deferred.set_layout,
        deferred.views[1], deferred.drawn, deferred.shown);
}

int main() {
  BufferOfAWaitingSubmission();
  RenderPass();
}
