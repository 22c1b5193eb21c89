// The state of command buffers, and findings about commands that it does not allow.
#include "hooks/vulkan/recorder/recorder.h"

#include "hooks/common/self_time.h"
#include "hooks/vulkan/call/valid_usage.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {

using rules::CallFault;

void ReportFeedback(VkCall& call, const CommandBufferState& state, const char* end) {
  ReportSync(call, *state.object, rules::SyncStateUse::Fault::kInFeedback, "", end);
}

void ReportPhase(VkCall& call, const CommandBufferState& state, CallFault fault, const char* vuid) {
  constexpr const char* kNames[] = {"initial", "recording", "executable", "invalid"};
  rules::OnFaultyCall(
      {fault, {{"state", kNames[static_cast<int>(state.phase)]}, {"vuid", vuid}}, state.object},
      call);
}

void CommandBufferState::CountFast() {
  const uint32_t calls = kFastCalls - fast_left;
  if (calls == 0) return;
  fast_left = kFastCalls;
  intercepted_calls.Add(calls);
  SelfTime::CountUnmeasured(calls);
}

bool CommandBufferState::MayBeInvalid() const {
  if (released_at_begin != ReleasedSoFar()) return true;
  bool may_change = false;  // descriptor sets and secondary command buffers
  recording->ForEach([&](const Recorded& record) {
    may_change |= record.kind == RecordKind::kSet || record.kind == RecordKind::kExecute;
  });
  return may_change;
}

void CommandBufferState::Rewind() {
  recorded.store(kNoCommandBuffer, std::memory_order_relaxed);
  CountFast();
  // A submission that is not replayed yet keeps the recording.
  if (recording == nullptr || recording.use_count() != 1) {
    recording = std::make_shared<Recording>();
  } else {
    recording->Clear();
  }
  unseen_writes = uses_events = feedback = inherits_viewports = false;
  ++recordings;
  queries.clear();
  begun_types.clear();
  condition = Condition::kNone;
  bindings.Clear();
  pass.Clear();
  labels.Clear();
  last_held = nullptr;
  inputs = {};
  phase = Phase::kInitial;
}

void CommandBufferState::Reset() {
  handle.store(kNoCommandBuffer, std::memory_order_relaxed);
  recorded.store(kNoCommandBuffer, std::memory_order_relaxed);
  recording.reset();
  phase = Phase::kInitial;
  own_user.Reset();
  submitted.Clear();
}

constinit thread_local CommandBufferState* last_command_buffer = nullptr;

void CountFastCalls(VkCommandBuffer commands) {
  CommandBufferState* state = RecentState(commands);
  if (state != nullptr && state->fast_left == 0) state->CountFast();
}

namespace {

// The thread's next look-up finds the command buffer by RecentState.
CommandBufferState* Remember(VkCall& call, CommandBufferState* state) {
  state->scope = &call.device();
  state->changes = device_changes.load(std::memory_order_acquire);
  last_command_buffer = state;
  return state;
}

}  // namespace

CommandBufferState* FindState(VkCall& call, VkCommandBuffer commands) {
  auto* object = static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kCommandBuffer, HandleOf(commands), "commandBuffer"));
  if (object == nullptr) return nullptr;
  return Remember(call, static_cast<CommandBufferState*>(object->part));
}

CommandBufferState* PeekState(VkCall& call, VkCommandBuffer commands) {
  auto* state = FindPart<CommandBufferState>(call, ObjectKind::kCommandBuffer, HandleOf(commands));
  return state != nullptr ? Remember(call, state) : nullptr;
}

void ReportOtherUse(VkCall& call, const CommandBufferState& state, const OtherUse& other) {
  // Pools of two devices may share a handle: which of them a call uses is not known then.
  if (state.pool != nullptr && state.pool->references.load(std::memory_order_relaxed) > 1) return;
  const bool same = state.pool == nullptr || other.part == state.object->handle;
  ReportOtherUse(call, same ? *state.object : *state.pool, other);
}

void Recorder::ReportScope(bool inside) {
  using Fault = rules::SyncStateUse::Fault;
  ReportSync(call_, *state_->object, inside ? Fault::kInsidePass : Fault::kOutsidePass);
}

void Recorder::ReportNotInline() {
  const bool rendering = state_->pass.kind == PassInstance::Kind::kRendering;
  ReportSync(call_, *state_->object, rules::SyncStateUse::Fault::kNotInline,
             rendering ? "VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT"
                       : "VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS");
}

void ReportNotRecording(VkCall& call, const CommandBufferState& state) {
  ReportPhase(call, state, CallFault::kNotRecording,
              CommandVuid(call.info().name, "commandBuffer-recording").c_str());
}

void Recorder::Refuse() {
  if (state_ == nullptr) return;
  ReportNotRecording(call_, *state_);
  state_ = nullptr;
}

}  // namespace gpusan::vulkan
