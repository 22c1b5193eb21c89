// Defect: Destroys what a submitted render pass uses before the submission is known to be complete:
// the framebuffer, the render pass itself, and the view that its draws read as an input attachment.
// Fix: Waits first. The pipelines were created for a render pass that no longer exists, which is
// allowed.
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
#include "common/vulkan_barriers.h"
#include "common/vulkan_deferred.h"

int main() {
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
#ifndef DEFECT
  OK(vkQueueWaitIdle(queue));
#endif
  // @FRAME
  vkDestroyFramebuffer(device, deferred.frame, nullptr);
  // @PASS
  vkDestroyRenderPass(device, deferred.pass, nullptr);
  // @VIEW
  vkDestroyImageView(device, deferred.views[0], nullptr);
#ifdef DEFECT
  OK(vkQueueWaitIdle(queue));
#endif
  Close(deferred.draws, deferred.swaps, deferred.layout, deferred.pool, deferred.set_layout,
        deferred.views[1], deferred.drawn, deferred.shown);
}
