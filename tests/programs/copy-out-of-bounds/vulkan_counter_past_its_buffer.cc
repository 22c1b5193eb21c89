// Defect: The end of transform feedback writes its counter at the end of the counter buffer.
// Fix: It writes the last 4 bytes of the buffer.
// EXPECT error copy-out-of-bounds vkCmdEndTransformFeedbackEXT at END
// EXPECT-FACT vuid=VUID-vkCmdEndTransformFeedbackEXT-pCounterBufferOffsets-02378
// EXIT any
#include "common/vulkan_captures.h"

int main() {
  OpenForCaptures();
  const Captures made = MakeCaptures();
#ifdef DEFECT
  const VkDeviceSize offset = 256;
#else
  const VkDeviceSize offset = 252;
#endif
  Begin();
  BeginDraws(made);
  begin_captures(commands, 0, 0, nullptr, nullptr);
  vkCmdDraw(commands, 3, 1, 0, 0);
  // @END
  end_captures(commands, 0, 1, &made.counter.handle, &offset);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(made);
}
