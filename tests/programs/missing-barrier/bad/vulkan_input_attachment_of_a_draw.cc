// The second subpass reads as an input attachment what a draw of the first one may have written, and
// no dependency orders the two. Whether a draw writes anything nobody can see: a warning.
// EXPECT warning missing-barrier vkCmdDraw at READ
// EXPECT-PARTY earlier-access at DRAW
// EXPECT-FACT hazard=RAW
#include "common/vulkan_deferred.h"

int main() {
  Open();
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_LOAD, 0, nullptr);
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
  Destroy(deferred);
  Close();
}
