// Defect: The predicate of conditional rendering is behind the end of its buffer.
// Fix: It is the last word of the buffer.
// EXPECT error copy-out-of-bounds vkCmdBeginConditionalRenderingEXT at BEGIN
// EXPECT-FACT vuid=VUID-VkConditionalRenderingBeginInfoEXT-offset-01983
#include "common/vulkan_conditions.h"

int main() {
  OpenForConditions();
  const Buffer buffer = MakeBuffer(4096, kCondition);
#ifdef DEFECT
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer, 4096);
#else
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer, 4092);
#endif
  Begin();
  // @BEGIN
  begin_conditional(commands, &info);
  end_conditional(commands);
  OK(vkEndCommandBuffer(commands));
  Close(buffer);
}
