// Dispatches change windows of one buffer that do not overlap, in one command buffer and without a
// barrier. The push constants are written together, one by one, before the pipeline is bound, for
// a pipeline with a layout of its own, and again behind a secondary command buffer.
#include "common/vulkan_secondary.h"
#include "common/vulkan_windows.h"

namespace {

constexpr VkShaderStageFlags kStage = VK_SHADER_STAGE_COMPUTE_BIT;

void PushOne(VkCommandBuffer target, const Compute& windows, uint32_t member, uint32_t value) {
  vkCmdPushConstants(target, windows.layout, kStage, member * 4, 4, &value);
}

}  // namespace

int main() {
  Open();
  const Compute windows = MakeWindows(), others = MakeWindows();
  const Buffer words = MakeWords(windows, 4096);
  SetBuffers(others, words.handle, words.handle);
  const VkCommandBuffer secondary = MakeSecondary();
  const VkCommandBufferInheritanceInfo none = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.pInheritanceInfo = &none;
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_COMPUTE, windows.pipeline);
  vkCmdBindDescriptorSets(secondary, VK_PIPELINE_BIND_POINT_COMPUTE, windows.layout, 0, 1,
                          &windows.set, 0, nullptr);
  PushOne(secondary, windows, 0, 512);
  PushOne(secondary, windows, 1, 64);
  vkCmdDispatch(secondary, 2, 1, 1);
  OK(vkEndCommandBuffer(secondary));

  Begin();
  Push(windows, {0, 64});
  Bind(windows);
  vkCmdDispatch(commands, 2, 1, 1);
  PushOne(commands, windows, 0, 64);
  vkCmdDispatch(commands, 2, 1, 1);
  vkCmdDispatch(commands, 0, 1, 1);
  PushOne(commands, windows, 0, 128);
  PushOne(commands, windows, 1, 128);
  vkCmdDispatch(commands, 2, 1, 1);
  // No word at all.
  PushOne(commands, windows, 1, 0);
  vkCmdDispatch(commands, 64, 1, 1);
  Bind(others);
  Push(others, {256, 256});
  vkCmdDispatch(commands, 4, 1, 1);
  vkCmdExecuteCommands(commands, 1, &secondary);
  Bind(windows);
  for (uint32_t i = 0; i < 4; ++i) {
    Push(windows, {576 + 100 * i, 100});
    vkCmdDispatch(commands, 2, 1, 1);
  }
  Run();
  for (const Compute& compute : {windows, others}) Destroy(compute);
  Close(words);
}
