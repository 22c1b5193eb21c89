// Defect: Conditional rendering ends twice.
// Fix: It ends once.
// EXPECT error command-buffer-in-use vkCmdEndConditionalRenderingEXT at END
// EXPECT-FACT vuid=VUID-vkCmdEndConditionalRenderingEXT-None-01985
// EXIT any
#include "common/vulkan_conditions.h"

int main() {
  OpenForConditions();
  const Buffer buffer = MakeBuffer(4096, kCondition);
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer);
  Begin();
  begin_conditional(commands, &info);
#ifdef DEFECT
  end_conditional(commands);
#endif
  // @END
  end_conditional(commands);
  OK(vkEndCommandBuffer(commands));
  Close(buffer);
}
