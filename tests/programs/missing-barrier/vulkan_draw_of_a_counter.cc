// Defect: vkCmdDrawIndirectByteCountEXT reads the counter that the end of transform feedback wrote,
// and the barrier between them makes it visible to vertex inputs only.
// Fix: The barrier makes it visible to indirect draws.
// EXPECT error missing-barrier vkCmdDrawIndirectByteCountEXT at DRAW
// EXPECT-PARTY earlier-access at END
// EXPECT-FACT hazard=RAW
#include "common/vulkan_captures.h"

int main() {
  OpenForCaptures();
  const Captures made = MakeCaptures();
  Begin();
  BeginDraws(made);
  begin_captures(commands, 0, 0, nullptr, nullptr);
  vkCmdDraw(commands, 3, 1, 0, 0);
  // @END
  end_captures(commands, 0, 1, &made.counter.handle, nullptr);
  vkCmdEndRenderPass(commands);
  OrderPasses();
#ifdef DEFECT
  Order(kCaptureStage, kCounted, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
        VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT);
#else
  Order(kCaptureStage, kCounted, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
        VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
#endif
  BeginDraws(made);
  // @DRAW
  draw_captured(commands, 1, 0, made.counter.handle, 0, 0, 16);
  vkCmdEndRenderPass(commands);
  Run();
  Close(made);
}
