// Defect: The predicate of conditional rendering is in a buffer that was created for copies only.
// Fix: The buffer is created for conditional rendering, too.
// EXPECT error usage-missing vkCmdBeginConditionalRenderingEXT at BEGIN
// EXPECT-FACT missing_flag=VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT
#include "common/vulkan_conditions.h"

int main() {
  OpenForConditions();
#ifdef DEFECT
  const Buffer buffer = MakeBuffer(4096);
#else
  const Buffer buffer = MakeBuffer(4096, kCondition);
#endif
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer);
  Begin();
  // @BEGIN
  begin_conditional(commands, &info);
  end_conditional(commands);
  OK(vkEndCommandBuffer(commands));
  Close(buffer);
}
