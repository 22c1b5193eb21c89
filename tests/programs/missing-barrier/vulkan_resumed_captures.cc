// Defect: Transform feedback is resumed with the counter that its end wrote, without a barrier
// between them.
// Fix: A barrier makes the counter visible to transform feedback.
// EXPECT error missing-barrier vkCmdBeginTransformFeedbackEXT at RESUME
// EXPECT-PARTY earlier-access at PAUSE
// EXPECT-FACT hazard=RAW
#include "common/vulkan_captures.h"

int main() {
  OpenForCaptures();
  const Captures made = MakeCaptures();
  const VkDeviceSize offset = 16;
  Begin();
  vkCmdFillBuffer(commands, made.counter.handle, 0, VK_WHOLE_SIZE, 0);
  Order(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, kCaptureStage,
        VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT | kCounted);
  BeginDraws(made);
  begin_captures(commands, 0, 1, &made.counter.handle, &offset);
  vkCmdDraw(commands, 3, 1, 0, 0);
  // @PAUSE
  end_captures(commands, 0, 1, &made.counter.handle, &offset);
  vkCmdEndRenderPass(commands);
  OrderPasses();
#ifndef DEFECT
  Order(kCaptureStage, kCounted, kCaptureStage,
        VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT | kCounted);
#endif
  BeginDraws(made);
  // @RESUME
  begin_captures(commands, 0, 1, &made.counter.handle, &offset);
  vkCmdDraw(commands, 3, 1, 0, 0);
  end_captures(commands, 0, 1, nullptr, nullptr);
  vkCmdEndRenderPass(commands);
  Run();
  Close(made);
}
