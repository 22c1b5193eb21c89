// Defect: The second subpass reads as an input attachment what a draw of the first one may have
// written, and no dependency orders the two. The severity is warning: whether a draw writes
// anything is unknown.
// Fix: The render pass has the dependency.
// EXPECT warning missing-barrier vkCmdDraw at READ
// EXPECT-PARTY earlier-access at DRAW
// EXPECT-FACT hazard=RAW
#include "common/vulkan_barriers.h"
#include "common/vulkan_deferred.h"

int main() {
  Open();
#ifdef DEFECT
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_LOAD, 0, nullptr);
#else
  const VkSubpassDependency dependency = InputDependency(VK_DEPENDENCY_BY_REGION_BIT);
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_LOAD, 1, &dependency);
#endif
  const VkRenderPassBeginInfo begin = DeferredBegin(deferred);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  BindFirst(deferred);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  BindSecond(deferred);
  // @READ
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  Run();
  Close(deferred);
}
