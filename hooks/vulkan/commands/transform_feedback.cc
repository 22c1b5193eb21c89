// Transform feedback: where it may begin and end, and the buffers that it uses.
#include "hooks/vulkan/commands/transform_feedback.h"

#include "hooks/vulkan/memory/buffers.h"
#include "hooks/vulkan/memory/memory.h"
#include "hooks/vulkan/objects/sync_objects.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

void Begin(VkCall& call, VkCommandBuffer commands) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedInside();
  CommandBufferState& state = recorder.state();
  state.unseen_writes = true;
  CheckNoFeedback(call, state, "02367");
  const PassInstance& pass = state.pass;
  const bool views = pass.kind == PassInstance::Kind::kRendering
                         ? pass.formats.views != 0
                         : pass.pass_info != nullptr &&
                               pass.subpass < pass.pass_info->subpasses.size() &&
                               pass.pass_info->subpasses[pass.subpass].views != 0;
  if (views) [[unlikely]]
    ReportSync(call, *state.object, Fault::kFeedbackOfViews);
  state.feedback = true;
}

void End(VkCall& call, VkCommandBuffer commands) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedInside();
  CommandBufferState& state = recorder.state();
  // A secondary command buffer may end what is not known.
  if (!state.feedback && !state.secondary) [[unlikely]]
    ReportSync(call, *state.object, Fault::kNoFeedback);
  state.feedback = false;
}

void CheckUsages(VkCall& call, uint32_t count, const VkBuffer* buffers, VkBufferUsageFlags usage,
                 const char* name, const char* argument) {
  for (uint32_t i = 0; buffers != nullptr && i < count; ++i) {
    if (buffers[i] == VK_NULL_HANDLE) continue;
    if (const Resource* buffer = UseBuffer(call, buffers[i], argument); buffer != nullptr)
      CheckBufferUsage(call, *buffer, usage, name, argument);
  }
}

void CheckCounters(VkCall& call, uint32_t count, const VkBuffer* counters) {
  CheckUsages(call, count, counters, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT,
              "VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT", "pCounterBuffers[]");
}

}  // namespace

void CmdBeginTransformFeedback::Before(VkCall& call, VkCommandBuffer commands, uint32_t,
                                       uint32_t count, const VkBuffer* counters,
                                       const VkDeviceSize*) {
  CheckCounters(call, count, counters);
  Begin(call, commands);
}
void CmdEndTransformFeedback::Before(VkCall& call, VkCommandBuffer commands, uint32_t,
                                     uint32_t count, const VkBuffer* counters,
                                     const VkDeviceSize*) {
  CheckCounters(call, count, counters);
  End(call, commands);
}
void CmdBindTransformFeedbackBuffers::Before(VkCall& call, VkCommandBuffer commands, uint32_t,
                                             uint32_t count, const VkBuffer* buffers,
                                             const VkDeviceSize*, const VkDeviceSize*) {
  CheckUsages(call, count, buffers, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT,
              "VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT", "pBuffers[]");
  if (const CommandBufferState* state = RecordedStateOf(call, commands); state != nullptr)
    CheckNoFeedback(call, *state, "02365");
}
void CmdBeginTransformFeedback2::Before(VkCall& call, VkCommandBuffer commands, uint32_t, uint32_t,
                                        const void*) {
  Begin(call, commands);
}
void CmdEndTransformFeedback2::Before(VkCall& call, VkCommandBuffer commands, uint32_t, uint32_t,
                                      const void*) {
  End(call, commands);
}

}  // namespace gpusan::vulkan
