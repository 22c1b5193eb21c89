// Defect: A render pass of two subpasses ends in the first one.
// Fix: The second subpass is begun first.
// EXPECT error command-buffer-in-use vkCmdEndRenderPass at END
// EXPECT-FACT vuid=VUID-vkCmdEndRenderPass-None-00910
// EXIT any
#include "common/vulkan_deferred.h"

int main() {
  Open();
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
#ifndef DEFECT
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
#endif
  // @END
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(deferred);
}
