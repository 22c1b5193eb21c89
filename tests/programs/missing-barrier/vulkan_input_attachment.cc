// Defect: The second subpass reads as an input attachment what the first one cleared and drew, or
// may have drawn. No dependency of the render pass makes that visible.
// Fix: The render pass has the dependency.
#include "common/vulkan_barriers.h"
#include "common/vulkan_deferred.h"

// Defect: The second subpass reads as an input attachment what the first one cleared and drew. No
// layout changes, and no dependency of the render pass makes what was written visible.
// Fix: The render pass has a dependency by region, as tilers need it.
// EXPECT error missing-barrier vkCmdDraw at READ
// EXPECT-PARTY earlier-access at CLEAR
// EXPECT-FACT hazard=RAW
static void InputAttachment() {
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
  Destroy(deferred);
}

// Defect: The second subpass reads as an input attachment what a draw of the first one may have
// written, and no dependency orders the two. The severity is warning: whether a draw writes
// anything is unknown.
// Fix: The render pass has the dependency.
// EXPECT warning missing-barrier vkCmdDraw at READ_2
// EXPECT-PARTY earlier-access at DRAW_2
// EXPECT-FACT hazard=RAW
static void InputAttachmentOfADraw() {
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
  // @DRAW_2
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  BindSecond(deferred);
  // @READ_2
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  Run();
  Destroy(deferred);
}

int main() {
  Open();
  InputAttachment();
  InputAttachmentOfADraw();
  Close();
}
