// Transform feedback: where it may begin and end, and the buffers that it uses.
#include "hooks/vulkan/commands/transform_feedback.h"

#include <vector>

#include "hooks/vulkan/commands/shader_accesses.h"
#include "hooks/vulkan/memory/buffers.h"
#include "hooks/vulkan/memory/memory.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/shaders/pipelines.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

constexpr uint64_t kStage = VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT;
constexpr uint32_t kMostBuffers = 8;  // of which bytes are known

// The counters of vkCmdBeginTransformFeedbackEXT or vkCmdEndTransformFeedbackEXT.
struct Counters {
  uint32_t count = 0;
  const VkBuffer* buffers = nullptr;
  const VkDeviceSize* offsets = nullptr;  // nullptr: 0
};

// Checks the counters, and records that the command reads or writes them.
void RecordCounters(Recorder& recorder, const Counters& counters, bool ends) {
  VkCall& call = recorder.call();
  constexpr uint64_t kBytes = 4;
  for (uint32_t i = 0; counters.buffers != nullptr && i < counters.count; ++i) {
    if (counters.buffers[i] == VK_NULL_HANDLE) continue;
    Resource* buffer = UseBuffer(call, counters.buffers[i], "pCounterBuffers[]");
    if (buffer == nullptr) continue;
    CheckBufferUsage(call, *buffer, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT,
                     "VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT",
                     "pCounterBuffers[]");
    const uint64_t offset = counters.offsets != nullptr ? counters.offsets[i] : 0;
    if (!HasBytes(call, *buffer, offset, kBytes,
                  ends ? "pCounterBufferOffsets-02378" : "pCounterBufferOffsets-02370"))
      continue;
    RecordedUse& use = recorder.Use(*buffer, Region::Linear(offset, kBytes), kStage,
                                    ends ? VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT
                                         : VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT,
                                    kNoLayout, ends);
    // The end of the same transform feedback follows.
    use.loads = !ends;
  }
}

void Begin(VkCall& call, VkCommandBuffer commands, const Counters& counters) {
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
  state.bindings.captured = 0;
  RecordCounters(recorder, counters, false);
}

void End(VkCall& call, VkCommandBuffer commands, const Counters& counters) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedInside();
  CommandBufferState& state = recorder.state();
  // A secondary command buffer may end what is not known.
  if (!state.feedback && !state.secondary) [[unlikely]]
    ReportSync(call, *state.object, Fault::kNoFeedback);
  state.feedback = false;
  RecordCounters(recorder, counters, true);
}

}  // namespace

void RecordCaptures(Recorder& recorder, bool surely) {
  Bindings& bindings = recorder.state().bindings;
  const PlainObject* object = bindings.graphics.pipeline.get();
  const uint8_t captures = object != nullptr && object->live() ? PipelineOf(*object).captures : 0;
  for (uint32_t i = 0; i < bindings.captures.size(); ++i) {
    const auto bit = static_cast<uint8_t>(1u << i);
    // The first draw begins at the start of the buffer, and the others append to it.
    if ((bindings.captured & bit) != 0) continue;
    const Bindings::Range& range = bindings.captures[i];
    Resource* buffer = range.buffer.get();
    if (buffer == nullptr || range.region.empty()) continue;
    RecordedUse& use =
        recorder.Write(*buffer, range.region, kStage, VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT);
    use.shader = true;
    use.unordered = !surely || (captures & bit) == 0 || MayBeSkipped(recorder);
    if (!use.unordered) bindings.captured |= bit;
  }
}

void CmdBeginTransformFeedback::Before(VkCall& call, VkCommandBuffer commands, uint32_t,
                                       uint32_t count, const VkBuffer* counters,
                                       const VkDeviceSize* offsets) {
  Begin(call, commands, {count, counters, offsets});
}
void CmdEndTransformFeedback::Before(VkCall& call, VkCommandBuffer commands, uint32_t,
                                     uint32_t count, const VkBuffer* counters,
                                     const VkDeviceSize* offsets) {
  End(call, commands, {count, counters, offsets});
}
void CmdBindTransformFeedbackBuffers::Before(VkCall& call, VkCommandBuffer commands, uint32_t first,
                                             uint32_t count, const VkBuffer* buffers,
                                             const VkDeviceSize* offsets,
                                             const VkDeviceSize* sizes) {
  CommandBufferState* state = RecordedStateOf(call, commands);
  if (state == nullptr) return;
  std::vector<Bindings::Range>& captures = state->bindings.captures;
  for (uint32_t i = 0; buffers != nullptr && offsets != nullptr && i < count; ++i) {
    Resource* buffer =
        buffers[i] != VK_NULL_HANDLE ? UseBuffer(call, buffers[i], "pBuffers[]") : nullptr;
    const uint64_t slot = uint64_t{first} + i;
    if (slot < kMostBuffers && captures.size() <= slot) captures.resize(slot + 1);
    if (slot < kMostBuffers) captures[slot] = {};
    if (buffer == nullptr) continue;
    CheckBoundOnce(call, *buffer, "pBuffers[]");
    CheckBufferUsage(call, *buffer, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT,
                     "VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT", "pBuffers[]");
    CheckAligned(call, *buffer, "pOffsets[]", offsets[i], 4, "pOffsets-02359");
    const bool whole = sizes == nullptr || sizes[i] == VK_WHOLE_SIZE;
    if (!HasBytes(call, *buffer, offsets[i], 1, "pOffsets-02358") ||
        (!whole && !HasBytes(call, *buffer, offsets[i], sizes[i], "pOffsets-02363")) ||
        slot >= kMostBuffers)
      continue;
    captures[slot].buffer = WeakRef<Resource>(buffer);
    captures[slot].region =
        Region::Linear(offsets[i], whole ? buffer->bytes - offsets[i] : sizes[i]);
  }
  CheckNoFeedback(call, *state, "02365");
}
void CmdBindTransformFeedbackBuffers2::Before(VkCall& call, VkCommandBuffer commands, uint32_t,
                                              uint32_t, const void*) {
  if (CommandBufferState* state = RecordedStateOf(call, commands); state != nullptr)
    state->bindings.captures.clear();
}
void CmdBeginTransformFeedback2::Before(VkCall& call, VkCommandBuffer commands, uint32_t, uint32_t,
                                        const void*) {
  Begin(call, commands, {});
}
void CmdEndTransformFeedback2::Before(VkCall& call, VkCommandBuffer commands, uint32_t, uint32_t,
                                      const void*) {
  End(call, commands, {});
}

}  // namespace gpusan::vulkan
