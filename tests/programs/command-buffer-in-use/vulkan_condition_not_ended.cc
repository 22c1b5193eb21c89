// Defect: The recording ends while conditional rendering is active.
// Fix: Conditional rendering ends first.
// EXPECT error command-buffer-in-use vkEndCommandBuffer at END
// EXPECT-FACT vuid=VUID-vkEndCommandBuffer-None-01978
// EXIT any
#include "common/vulkan_conditions.h"

int main() {
  OpenForConditions();
  const Buffer buffer = MakeBuffer(4096, kCondition);
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer);
  Begin();
  begin_conditional(commands, &info);
#ifndef DEFECT
  end_conditional(commands);
#endif
  // @END
  vkEndCommandBuffer(commands);
  Close(buffer);
}
