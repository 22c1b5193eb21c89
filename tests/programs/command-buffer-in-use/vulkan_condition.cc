// Defect ended_twice: Conditional rendering ends twice.
// EXPECT error command-buffer-in-use vkCmdEndConditionalRenderingEXT at SECOND
// EXPECT-FACT vuid=VUID-vkCmdEndConditionalRenderingEXT-None-01985
// Defect not_ended: The recording ends while conditional rendering is active.
// EXPECT error command-buffer-in-use vkEndCommandBuffer at END
// EXPECT-FACT vuid=VUID-vkEndCommandBuffer-None-01978
// Fix: Conditional rendering ends once, before the recording ends.
// EXIT any
#include "common/vulkan_conditions.h"

int main() {
  OpenForConditions();
  const Buffer buffer = MakeBuffer(4096, kCondition);
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer);
  Begin();
  begin_conditional(commands, &info);
#ifndef DEFECT_not_ended
  end_conditional(commands);
#endif
#ifdef DEFECT_ended_twice
  // @SECOND
  end_conditional(commands);
#endif
  // @END
  vkEndCommandBuffer(commands);
  Close(buffer);
}
