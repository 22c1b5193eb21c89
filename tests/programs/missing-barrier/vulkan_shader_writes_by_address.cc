// Defect: Copies and conditional rendering read what a shader or a fill wrote, and no barrier is
// for their accesses.
// Fix: A barrier for the accesses of the read is between the two.
#include "common/vulkan_barriers.h"
#include "common/vulkan_conditions.h"
#include "common/vulkan_pushed_addresses.h"

// Defect: A copy reads a buffer that a shader has written by an address in its push constants, and no
// barrier orders the two.
// Fix: A barrier stands between them.
// EXPECT error missing-barrier vkCmdCopyBuffer at COPY
// EXPECT-FACT hazard=RAW
// EXPECT-FACT earlier_byte_range=64 to 319
static void CopyBehindAWriteByAddress() {
  OpenForShaders();
  const Pushing number = MakePushing(address_comp, sizeof(VkDeviceAddress));
  const Buffer words = MakeAddressedBuffer(1024), target = MakeBuffer(1024);
  Begin();
  vkCmdFillBuffer(commands, words.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Dispatch(number, AddressOf(words.handle) + 64, 1);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  const VkBufferCopy all = {0, 0, 1024};
  // @COPY
  vkCmdCopyBuffer(commands, words.handle, target.handle, 1, &all);
  Run();
  Close(words, target, number);
}

// Defect: Conditional rendering reads its predicate behind a fill, without a barrier for that read.
// Fix: The barrier names the stage and the access of conditional rendering.
// EXPECT error missing-barrier vkCmdBeginConditionalRenderingEXT at BEGIN
static void ConditionReadTooEarly() {
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

int main() {
  CopyBehindAWriteByAddress();
  ConditionReadTooEarly();
}
