// Defect: A transform feedback buffer is bound at byte 2.
// Fix: It is bound at a multiple of 4 bytes.
// EXPECT error misaligned vkCmdBindTransformFeedbackBuffersEXT at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindTransformFeedbackBuffersEXT-pOffsets-02359
#include "common/vulkan_captures.h"

int main() {
  OpenForCaptures();
  const Captures made = MakeCaptures();
#ifdef DEFECT
  const VkDeviceSize offset = 2;
#else
  const VkDeviceSize offset = 4;
#endif
  Begin();
  // @BIND
  bind_captures(commands, 0, 1, &made.positions.handle, &offset, nullptr);
  Run();
  Close(made);
}
