// Defect: Both subpasses are recorded in secondary command buffers, which know the render pass and
// not its framebuffer. The second one reads as an input attachment what a draw of the first one may
// have written, and no dependency orders the two.
// Fix: A dependency by region orders the draw of the first subpass and the read of the second one.
// EXPECT warning missing-barrier vkCmdDraw at READ
// EXPECT-PARTY earlier-access at DRAW
// EXPECT-FACT hazard=RAW
#include "common/vulkan_barriers.h"
#include "common/vulkan_deferred.h"
#include "common/vulkan_secondary.h"

int main() {
  Open();
#ifdef DEFECT
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_LOAD, 0, nullptr);
#else
  const VkSubpassDependency dependency = InputDependency(VK_DEPENDENCY_BY_REGION_BIT);
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_LOAD, 1, &dependency);
#endif
  const VkCommandBuffer first = MakeSecondary(), second = MakeSecondary();
  VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  inheritance.renderPass = deferred.pass;
  BeginSecondary(first, inheritance);
  vkCmdBindPipeline(first, VK_PIPELINE_BIND_POINT_GRAPHICS, deferred.draws);
  // @DRAW
  vkCmdDraw(first, 3, 1, 0, 0);
  OK(vkEndCommandBuffer(first));
  inheritance.subpass = 1;
  BeginSecondary(second, inheritance);
  vkCmdBindPipeline(second, VK_PIPELINE_BIND_POINT_GRAPHICS, deferred.swaps);
  vkCmdBindDescriptorSets(second, VK_PIPELINE_BIND_POINT_GRAPHICS, deferred.layout, 0, 1,
                          &deferred.set, 0, nullptr);
  // @READ
  vkCmdDraw(second, 3, 1, 0, 0);
  OK(vkEndCommandBuffer(second));
  const VkRenderPassBeginInfo begin = DeferredBegin(deferred);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
  vkCmdExecuteCommands(commands, 1, &first);
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
  vkCmdExecuteCommands(commands, 1, &second);
  vkCmdEndRenderPass(commands);
  Run();
  Close(deferred);
}
