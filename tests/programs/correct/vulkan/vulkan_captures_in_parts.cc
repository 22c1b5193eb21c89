// Transform feedback captures to one part of a buffer while copies use the other, is paused and
// resumed with its counter, and the captured vertices are counted by both accesses that a barrier
// may name for the counter.
#include "common/vulkan_captures.h"

static void Capture(const Captures& made, VkDeviceSize offset, VkDeviceSize size, bool resumes) {
  BeginDraws(made);
  bind_captures(commands, 0, 1, &made.positions.handle, &offset, &size);
  begin_captures(commands, 0, resumes ? 1 : 0, &made.counter.handle, nullptr);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdDraw(commands, 3, 1, 0, 0);
  end_captures(commands, 0, 1, &made.counter.handle, nullptr);
  vkCmdEndRenderPass(commands);
  OrderPasses();
}

int main() {
  OpenForCaptures();
  const Captures made = MakeCaptures();
  const VkDeviceSize half = kCapturedBytes / 2;
  Begin();
  vkCmdFillBuffer(commands, made.positions.handle, half, half, 0);
  Capture(made, 0, half, false);
  Order(kCaptureStage, kCounted, kCaptureStage,
        VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT | kCounted);
  Capture(made, 0, half, true);
  Order(kCaptureStage, kCounted, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
        VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT);
  BeginDraws(made);
  draw_captured(commands, 1, 0, made.counter.handle, 0, 0, 16);
  vkCmdEndRenderPass(commands);
  Order(kCaptureStage, kCaptured, VK_PIPELINE_STAGE_TRANSFER_BIT,
        VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  const VkBufferCopy copy = {0, half, half};
  Order(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
        VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdCopyBuffer(commands, made.positions.handle, made.positions.handle, 1, &copy);
  Run();
  // Without a draw, and with a buffer that the shader does not capture to.
  Begin();
  BeginDraws(made);
  const VkDeviceSize zero = 0;
  const Buffer other = MakeBuffer(256, kCopies | VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
  bind_captures(commands, 1, 1, &other.handle, &zero, nullptr);
  begin_captures(commands, 0, 0, nullptr, nullptr);
  vkCmdDraw(commands, 3, 1, 0, 0);
  end_captures(commands, 0, 0, nullptr, nullptr);
  begin_captures(commands, 0, 0, nullptr, nullptr);
  end_captures(commands, 0, 0, nullptr, nullptr);
  vkCmdEndRenderPass(commands);
  vkCmdFillBuffer(commands, other.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Close(other, made);
}
