// Defect: The second subpass reads as an input attachment what the first one cleared and drew. No
// layout changes, and no dependency of the render pass makes what was written visible.
// Fix: The render pass has a dependency by region, as tilers need it.
// EXPECT error missing-barrier vkCmdDraw at READ
// EXPECT-PARTY earlier-access at CLEAR
// EXPECT-FACT hazard=RAW
#include "common/vulkan_barriers.h"
#include "common/vulkan_deferred.h"

int main() {
  Open();
#ifdef DEFECT
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_CLEAR, 0, nullptr);
#else
  const VkSubpassDependency dependency = InputDependency(VK_DEPENDENCY_BY_REGION_BIT);
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_CLEAR, 1, &dependency);
#endif
  const VkRenderPassBeginInfo begin = DeferredBegin(deferred);
  Begin();
  // @CLEAR
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  BindFirst(deferred);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  BindSecond(deferred);
  // @READ
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  Run();
  Close(deferred);
}
