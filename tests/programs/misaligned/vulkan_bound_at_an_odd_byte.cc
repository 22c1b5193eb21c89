// Defect: Buffers are bound at byte 2, for transform feedback and as the predicate of conditional
// rendering.
// Fix: The offset is a multiple of four.
#include "common/vulkan_captures.h"
#include "common/vulkan_conditions.h"

// Defect: A transform feedback buffer is bound at byte 2.
// Fix: It is bound at a multiple of 4 bytes.
// EXPECT error misaligned vkCmdBindTransformFeedbackBuffersEXT at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindTransformFeedbackBuffersEXT-pOffsets-02359
static void CapturesAtAnOddByte() {
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

// Defect: The predicate of conditional rendering is at byte 2 of its buffer.
// Fix: It is at a multiple of 4 bytes.
// EXPECT error misaligned vkCmdBeginConditionalRenderingEXT at BEGIN
// EXPECT-FACT vuid=VUID-VkConditionalRenderingBeginInfoEXT-offset-01984
static void ConditionAtAnOddByte() {
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

int main() {
  CapturesAtAnOddByte();
  ConditionAtAnOddByte();
}
