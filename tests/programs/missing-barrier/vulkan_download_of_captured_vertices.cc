// Defect: The vertices that transform feedback captured are downloaded, and the barrier before the
// copy names vertex shaders.
// Fix: The barrier names transform feedback.
// EXPECT error missing-barrier vkCmdCopyBuffer at COPY
// EXPECT-PARTY earlier-access at DRAW
// EXPECT-FACT hazard=RAW
#include "common/vulkan_captures.h"

int main() {
  OpenForCaptures();
  const Captures made = MakeCaptures();
  const Buffer read = MakeBuffer(kCapturedBytes, kCopies, kHostMemory);
  Begin();
  BeginDraws(made);
  begin_captures(commands, 0, 0, nullptr, nullptr);
  // @DRAW
  vkCmdDraw(commands, 6, 1, 0, 0);
  vkCmdDraw(commands, 3, 1, 0, 0);
  end_captures(commands, 0, 0, nullptr, nullptr);
  vkCmdEndRenderPass(commands);
#ifdef DEFECT
  Order(VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
        VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#else
  Order(kCaptureStage, kCaptured, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  const VkBufferCopy all = {0, 0, kCapturedBytes};
  // @COPY
  vkCmdCopyBuffer(commands, made.positions.handle, read.handle, 1, &all);
  Run();
  Close(read, made);
}
