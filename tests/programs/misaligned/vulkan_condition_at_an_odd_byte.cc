// Defect: The predicate of conditional rendering is at byte 2 of its buffer.
// Fix: It is at a multiple of 4 bytes.
// EXPECT error misaligned vkCmdBeginConditionalRenderingEXT at BEGIN
// EXPECT-FACT vuid=VUID-VkConditionalRenderingBeginInfoEXT-offset-01984
#include "common/vulkan_conditions.h"

int main() {
  OpenForConditions();
  const Buffer buffer = MakeBuffer(4096, kCondition);
#ifdef DEFECT
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer, 2);
#else
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer, 4);
#endif
  Begin();
  // @BEGIN
  begin_conditional(commands, &info);
  end_conditional(commands);
  OK(vkEndCommandBuffer(commands));
  Close(buffer);
}
