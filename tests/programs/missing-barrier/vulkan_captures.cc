// Defect: What transform feedback wrote is read, without a barrier or with one for another access.
// Fix: A barrier for the writes of transform feedback is in front of the read.
#include "common/vulkan_captures.h"

// Defect: The vertices that transform feedback captured are downloaded, and the barrier before the
// copy names vertex shaders.
// Fix: The barrier names transform feedback.
// EXPECT error missing-barrier vkCmdCopyBuffer at COPY
// EXPECT-PARTY earlier-access at DRAW
// EXPECT-FACT hazard=RAW
static void DownloadOfCapturedVertices() {
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
  Destroy(read, made);
}

// Defect: vkCmdDrawIndirectByteCountEXT reads the counter that the end of transform feedback wrote,
// and the barrier between them makes it visible to vertex inputs only.
// Fix: The barrier makes it visible to indirect draws.
// EXPECT error missing-barrier vkCmdDrawIndirectByteCountEXT at DRAW_2
// EXPECT-PARTY earlier-access at END
// EXPECT-FACT hazard=RAW
static void DrawOfACounter() {
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
  // @DRAW_2
  draw_captured(commands, 1, 0, made.counter.handle, 0, 0, 16);
  vkCmdEndRenderPass(commands);
  Run();
  Destroy(made);
}

// Defect: Transform feedback is resumed with the counter that its end wrote, without a barrier
// between them.
// Fix: A barrier makes the counter visible to transform feedback.
// EXPECT error missing-barrier vkCmdBeginTransformFeedbackEXT at RESUME
// EXPECT-PARTY earlier-access at PAUSE
// EXPECT-FACT hazard=RAW
static void ResumedCaptures() {
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
  Destroy(made);
}

int main() {
  OpenForCaptures();
  DownloadOfCapturedVertices();
  DrawOfACounter();
  ResumedCaptures();
  Close();
}
