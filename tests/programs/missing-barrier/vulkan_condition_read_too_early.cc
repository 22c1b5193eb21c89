// Defect: Conditional rendering reads its predicate behind a fill, without a barrier for that read.
// Fix: The barrier names the stage and the access of conditional rendering.
// EXPECT error missing-barrier vkCmdBeginConditionalRenderingEXT at BEGIN
#include "common/vulkan_conditions.h"

int main() {
  OpenForConditions();
  const Buffer buffer = MakeBuffer(4096, kCondition);
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer);
  Begin();
  vkCmdFillBuffer(commands, buffer.handle, 0, 4096, 1);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
#ifdef DEFECT
  barrier.dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
#else
  barrier.dstAccessMask = VK_ACCESS_CONDITIONAL_RENDERING_READ_BIT_EXT;
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT;
#endif
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, stage, 0, 1, &barrier, 0, nullptr,
                       0, nullptr);
  // @BEGIN
  begin_conditional(commands, &info);
  end_conditional(commands);
  Run();
  Close(buffer);
}
