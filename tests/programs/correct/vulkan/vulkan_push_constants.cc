// Only the push constants that shaders read are written.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_dispatches.h"
#include "common/vulkan_secondary.h"
#include "common/vulkan_tints.h"
#include "shaders/branch.comp.h"
#include "shaders/parts.comp.h"

// With the feature maintenance4 a push constant must be written before a shader reads it when it
// runs: one that stands behind a branch which is not taken is not written, and none for an indirect
// dispatch of no groups.
static void PushConstantsBehindABranch() {
  VkPhysicalDeviceMaintenance4Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES};
  features.maintenance4 = VK_TRUE;
  Open({.features = &features});
  const Compute compute = MakeCompute(branch_comp, sizeof(branch_comp),
                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 8);
  const Buffer words = MakeBuffer(4096, kStorage);
  const Buffer groups = MakeBuffer(16, kCopies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  SetBuffers(compute, words.handle, words.handle);
  Begin();
  vkCmdFillBuffer(commands, groups.handle, 0, VK_WHOLE_SIZE, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
  Bind(compute);
  vkCmdDispatchIndirect(commands, groups.handle, 0);
  const uint32_t mode = 0;
  vkCmdPushConstants(commands, compute.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &mode);
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  Close(compute, words, groups);
}

// Only the push constants that shaders read are written: no padding, no member that is not read,
// and of an array the element that is read; before and behind the pipeline, in several commands, and
// through the layout of another pipeline with the same ranges.
constexpr uint32_t kBytes = 40;

static void PushPart(const Compute& compute, uint32_t offset, uint32_t bytes) {
  static const uint32_t zeros[kBytes / 4] = {};
  vkCmdPushConstants(commands, compute.layout, VK_SHADER_STAGE_COMPUTE_BIT, offset, bytes, zeros);
}

static void Draw(const Tints& tints) {
  const float values[8] = {};
  BeginTints(tints);
  // The vertex shader reads none of its own.
  vkCmdPushConstants(commands, tints.layout, VK_SHADER_STAGE_FRAGMENT_BIT, 16, 8, values);
  vkCmdPushConstants(commands, tints.layout, VK_SHADER_STAGE_FRAGMENT_BIT, 24, 8, values);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
}

static void PushConstantsThatAreRead() {
  OpenForRendering();
  const Compute compute = MakeCompute(parts_comp, sizeof(parts_comp),
                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kBytes);
  const Compute other = MakeCompute(parts_comp, sizeof(parts_comp),
                                    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kBytes);
  const Buffer words = MakeBuffer(4096, kStorage), more = MakeBuffer(4096, kStorage);
  SetBuffers(compute, words.handle, words.handle);
  SetBuffers(other, more.handle, more.handle);
  Begin();
  PushPart(compute, 0, 12);
  Bind(compute);
  PushPart(compute, 36, 4);
  PushPart(compute, 20, 4);
  vkCmdDispatch(commands, 1, 1, 1);
  PushPart(compute, 20, 4);
  Bind(other);
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  Begin();
  Bind(compute);
  PushPart(other, 0, kBytes);
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  const Tints tints = MakeTints();
  Draw(tints);
  Destroy(tints);
  for (const Compute& made : {compute, other}) Destroy(made);
  Close(words, more);
}

// Dispatches change windows of one buffer that do not overlap, in one command buffer and without a
// barrier. The push constants are written together, one by one, before the pipeline is bound, for
// a pipeline with a layout of its own, and again behind a secondary command buffer.
constexpr VkShaderStageFlags kStage = VK_SHADER_STAGE_COMPUTE_BIT;

static void PushOne(VkCommandBuffer target, const Compute& windows, uint32_t member, uint32_t value) {
  vkCmdPushConstants(target, windows.layout, kStage, member * 4, 4, &value);
}

static void WindowsOfPushConstants() {
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

int main() {
  PushConstantsBehindABranch();
  PushConstantsThatAreRead();
  WindowsOfPushConstants();
}
