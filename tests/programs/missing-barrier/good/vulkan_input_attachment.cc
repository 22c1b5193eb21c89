// The same with a dependency by region, as tilers want it.
#include "common/vulkan_deferred.h"

int main() {
  Open();
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = 0;
  dependency.dstSubpass = 1;
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
  dependency.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
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
  Run();
  Destroy(deferred);
  Close();
}
