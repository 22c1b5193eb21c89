// The state of command buffers and their pools, and how handlers of commands append records to
// them.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hooks/vulkan/call/labels.h"
#include "hooks/vulkan/objects/lone_uses.h"
#include "hooks/vulkan/objects/objects.h"
#include "hooks/vulkan/objects/resources.h"
#include "hooks/vulkan/recorder/recording.h"
#include "hooks/vulkan/shaders/bound_state.h"
#include "hooks/vulkan/words/sync_masks.h"
#include "tracker/rules/faults/faulty_call.h"

namespace gpusan::vulkan {

// Represents no command buffer: calls that pass VK_NULL_HANDLE would find that.
inline const VkCommandBuffer kNoCommandBuffer = reinterpret_cast<VkCommandBuffer>(uintptr_t{1});

// The fields that the fast paths of recorded commands read come first.
struct alignas(64) CommandBufferState final : Pooled<CommandBufferState> {
  enum class Phase : uint8_t { kInitial, kRecording, kExecutable, kInvalid };
  // Number of calls that may take the fast path of a recorded command before they are counted.
  static constexpr uint32_t kFastCalls = 250;

  // kNoCommandBuffer: freed. Threads that cached this command buffer may read both handles at any
  // time.
  std::atomic<VkCommandBuffer> handle{kNoCommandBuffer};
  std::atomic<VkCommandBuffer> recorded{kNoCommandBuffer};  // the handle while it is recorded
  Scope* scope = nullptr;                                   // its device
  uint32_t changes = 0;             // device_changes when scope was looked up
  uint32_t fast_left = kFastCalls;  // kFastCalls - fast_left calls are not counted yet
  // The user of the command pool, because a recording also uses the pool; own_user if the pool is
  // unknown.
  LastUser* user = &own_user;
  // The last recording. Shared with submissions that are not replayed yet.
  std::shared_ptr<Recording> recording;
  // While it is recorded.
  const PlainObject* last_held = nullptr;
  DispatchInputs inputs;  // of the last RecordedInputs
  Bindings bindings;
  PlainObject* object = nullptr;
  const PlainObject* pool = nullptr;  // nullptr: unknown
  VkCommandBufferUsageFlags usage = 0;
  uint32_t family = VK_QUEUE_FAMILY_IGNORED;  // of its pool; IGNORED: unknown
  // The masks that CheckMasks (barrier_checks.h) checked last, newest first. Programs often have
  // two in turn.
  GivenMasks checked[2];
  // The number of Rewind calls, which names a recording.
  uint32_t recordings = 0;
  // The recording that executed this secondary command buffer last.
  const CommandBufferState* executed_by = nullptr;
  uint32_t executed_in = 0;
  // Queries that are active in the recording.
  struct ActiveQuery {
    WeakRef<PlainObject> pool;
    uint32_t query;
    uint32_t type;
    uint32_t index;  // of VK_EXT_transform_feedback; otherwise 0
    // Begun inside of a render pass, in this subpass; kOutside: outside.
    static constexpr uint32_t kOutside = ~uint32_t{0};
    uint32_t subpass;
    VkQueryControlFlags flags;
  };
  absl::InlinedVector<ActiveQuery, 2> queries;
  // The types of the queries that the recording begins.
  absl::InlinedVector<uint32_t, 2> begun_types;
  Phase phase = Phase::kInitial;
  // The place where the active conditional rendering began: outside of a render pass, or (kInside)
  // in the subpass condition_subpass.
  enum class Condition : uint8_t { kNone, kOutside, kInside };
  Condition condition = Condition::kNone;
  uint32_t condition_subpass = 0;
  bool resettable = false;  // individually, by the flags of its pool
  bool secondary = false;
  // Secondary command buffers: queries that may be active when the buffer is executed.
  bool inherits_occlusion = false;
  // VK_NV_inherited_viewport_scissor: the state of these is that of the primary command buffer.
  bool inherits_viewports = false;
  VkQueryControlFlags inherited_flags = 0;
  VkQueryPipelineStatisticFlags inherited_statistics = 0;
  // It contains commands whose writes are unknown.
  bool unseen_writes = false;
  bool uses_events = false;
  bool feedback = false;  // transform feedback is active
  PassInstance pass;
  LabelStack labels;
  uint64_t released_at_begin = 0;  // ReleasedSoFar() when the recording began

  LastUser own_user;
  SpinLock lock;  // guards submitted, which submissions on other threads access
  PendingUses submitted;

  void Reset();
  // Discards the recording.
  void Rewind();
  // Whether what its commands use may have been destroyed or changed since the recording began,
  // which makes the command buffer invalid (Vulkan 1.3 §6.1).
  bool MayBeInvalid() const;
  // Adds the calls of the fast path to the number of intercepted calls.
  void CountFast();
};

// The state of a command pool.
struct CommandPoolState final : Pooled<CommandPoolState> {
  SpinLock lock;
  std::vector<VkCommandBuffer> buffers;
  std::atomic<bool> resettable{true};  // its command buffers, individually
  std::atomic<uint32_t> family{VK_QUEUE_FAMILY_IGNORED};
  LastUser user;
  void Reset() {
    buffers.clear();
    user.Reset();
  }
  // Its description becomes unknown.
  void Forget() {
    resettable.store(true, std::memory_order_relaxed);
    family.store(VK_QUEUE_FAMILY_IGNORED, std::memory_order_relaxed);
  }
};

// The last command buffer that a thread looked up: it records many commands in a row.
extern __attribute__((
    tls_model("initial-exec"))) constinit thread_local CommandBufferState* last_command_buffer;
CommandBufferState* FindState(VkCall& call, VkCommandBuffer commands);

// The state if the command buffer is the last one of this thread; otherwise nullptr.
[[gnu::always_inline]] inline CommandBufferState* RecentState(VkCommandBuffer commands) {
  CommandBufferState* last = last_command_buffer;
  return last != nullptr && last->handle.load(std::memory_order_relaxed) == commands &&
                 last->changes == device_changes.load(std::memory_order_relaxed)
             ? last
             : nullptr;
}
// The state for TryFast of a recorded command: the last command buffer of this thread, in the
// recording state, with a pool that no other thread has used since. nullptr: the call needs the
// slow path. A TryFast that returns true decrements
// fast_left.
[[gnu::always_inline]] inline CommandBufferState* FastState(VkCommandBuffer commands) {
  CommandBufferState* last = last_command_buffer;
  if (last == nullptr || last->recorded.load(std::memory_order_relaxed) != commands ||
      last->changes != device_changes.load(std::memory_order_relaxed) || last->fast_left == 0 ||
      !last->user->IsThisThread()) [[unlikely]]
    return nullptr;
  return last;
}
// Counts the calls of the fast path if kFastCalls of them are not counted yet. The slow path calls
// it.
void CountFastCalls(VkCommandBuffer commands);
// nullptr for a handle that is unknown or freed; the finding is added then.
[[gnu::always_inline]] inline CommandBufferState* StateOf(VkCall& call, VkCommandBuffer commands) {
  CommandBufferState* recent = RecentState(commands);
  return recent != nullptr ? recent : FindState(call, commands);
}

// Adds the finding about a command that is recorded into a command buffer in another state.
[[gnu::noinline, gnu::cold]] void ReportNotRecording(VkCall& call, const CommandBufferState& state);
// The same for a command that sets state. nullptr also for a command buffer that is not in the
// recording state; the finding is added then.
[[gnu::always_inline]] inline CommandBufferState* RecordedStateOf(VkCall& call,
                                                                  VkCommandBuffer commands) {
  CommandBufferState* state = StateOf(call, commands);
  if (state == nullptr || state->phase == CommandBufferState::Phase::kRecording) [[likely]]
    return state;
  ReportNotRecording(call, *state);
  return nullptr;
}

// The state of a live command buffer; nullptr for another handle. Adds no finding.
[[gnu::noinline]] CommandBufferState* PeekState(VkCall& call, VkCommandBuffer commands);
// Adds the finding about a pool that another thread's call uses.
[[gnu::noinline, gnu::cold]] void ReportOtherUse(VkCall& call, const CommandBufferState& state,
                                                 const OtherUse& other);
// The call uses the command buffer and its pool until `uses` is destroyed (Vulkan 1.3 §6.2). Adds a
// finding if another thread is inside of a call that uses the pool. Calls on the fast path are not
// seen; but if two threads record in turn, each takes the slow path.
[[gnu::always_inline]] inline void UseCommandBufferAlone(VkCall& call, UsesOfCall& uses,
                                                         VkCommandBuffer commands) {
  CommandBufferState* state = RecentState(commands);
  if (state == nullptr) [[unlikely]] {
    state = PeekState(call, commands);
    if (state == nullptr) return;
  }
  OtherUse other;
  if (uses.Begin(*state->user, call.info(), call.site(), HandleOf(commands), &other)) [[unlikely]]
    ReportOtherUse(call, *state, other);
}
inline void UseCommandPoolAlone(VkCall& call, UsesOfCall& uses, VkCommandPool pool) {
  UseObjectAlone<CommandPoolState>(call, uses, ObjectKind::kCommandPool, HandleOf(pool));
}

// Adds the finding that the call needs the command buffer in another state.
[[gnu::noinline, gnu::cold]] void ReportPhase(VkCall& call, const CommandBufferState& state,
                                              rules::CallFault fault, const char* vuid);
// Adds it unless `fits`.
inline void CheckPhase(VkCall& call, const CommandBufferState& state, bool fits,
                       rules::CallFault fault, const char* vuid) {
  if (!fits) [[unlikely]]
    ReportPhase(call, state, fault, vuid);
}

// Adds a finding if transform feedback is active, which does not allow the call. `end`: of the
// valid usage of the call, such as "02323".
[[gnu::noinline, gnu::cold]] void ReportFeedback(VkCall& call, const CommandBufferState& state,
                                                 const char* end);
inline void CheckNoFeedback(VkCall& call, const CommandBufferState& state, const char* end) {
  if (state.feedback) [[unlikely]]
    ReportFeedback(call, state, end);
}

// Appends the records of one command to its command buffer.
class Recorder {
 public:
  // Adds a finding, and converts to false, if `commands` is not in the recording state.
  [[gnu::always_inline]] Recorder(VkCall& call, VkCommandBuffer commands)
      : call_(call), state_(StateOf(call, commands)) {
    if (state_ == nullptr || state_->phase != CommandBufferState::Phase::kRecording) [[unlikely]] {
      Refuse();
      return;
    }
    site_ = call.site();
    call.SetLabel(state_->labels.current());
    state_->recording->NextCommand();
  }
  explicit operator bool() const { return state_ != nullptr; }
  VkCall& call() const { return call_; }
  SiteId site() const { return site_; }
  CommandBufferState& state() const { return *state_; }

  // Begins another command of the same call: its records are ordered after the earlier ones.
  void NextCommand() { state_->recording->NextCommand(); }
  template <typename T, typename... Fields>
  T& Append(Fields&&... fields) {
    return state_->recording->Append<T>(call_.info(), site_, std::forward<Fields>(fields)...);
  }
  // `E`: an Extent, Region, Bytes or ImagePart.
  template <typename T, typename E, typename... Fields>
  [[gnu::always_inline]] T& AppendWith(const E& extent, const Fields&... fields) {
    return state_->recording->AppendWith<T>(call_.info(), site_, extent, fields...);
  }
  template <typename... Fields>
  void AppendSet(absl::Span<const uint32_t> offsets, Fields&&... fields) {
    state_->recording->AppendSet(call_.info(), site_, offsets, std::forward<Fields>(fields)...);
  }
  // Adds a finding if the command buffer is inside of a render pass, or outside of all.
  void NeedOutside() {
    if (state_ != nullptr && state_->pass.kind != PassInstance::Kind::kNone) [[unlikely]]
      ReportScope(true);
  }
  void NeedInside() {
    if (state_ != nullptr && state_->pass.kind == PassInstance::Kind::kNone) [[unlikely]]
      ReportScope(false);
  }
  // The same for a command that a subpass may leave to secondary command buffers.
  void NeedInline() {
    NeedInside();
    if (state_ != nullptr && state_->pass.only_secondaries) [[unlikely]]
      ReportNotInline();
  }
  [[gnu::always_inline]] const ScopeBarrier* Scopes(const GivenMasks& masks) {
    return state_->recording->Scopes(masks);
  }
  // Records an access to a part of a resource.
  template <typename E>
  [[gnu::always_inline]] RecordedUse& Use(Resource& resource, const E& extent, uint64_t stage,
                                          uint64_t access, Layout layout = kNoLayout,
                                          bool write = false) {
    return AppendWith<RecordedUse>(extent, &resource,
                                   resource.generation.load(std::memory_order_relaxed), layout,
                                   stage, access, write);
  }
  template <typename E>
  [[gnu::always_inline]] RecordedUse& Write(Resource& resource, const E& extent, uint64_t stage,
                                            uint64_t access, Layout layout = kNoLayout) {
    return Use(resource, extent, stage, access, layout, true);
  }
  // Records that the command uses the object, which has a HeldState. The object that was held last
  // needs no second record.
  void Hold(PlainObject& object) {
    if (state_->last_held == &object) return;
    state_->last_held = &object;
    Append<RecordedHold>(&object, object.generation.load(std::memory_order_relaxed));
  }

 private:
  [[gnu::noinline, gnu::cold]] void Refuse();
  [[gnu::noinline, gnu::cold]] void ReportScope(bool inside);
  [[gnu::noinline, gnu::cold]] void ReportNotInline();

  VkCall& call_;
  CommandBufferState* state_;
  SiteId site_ = kUnknownSite;
};

}  // namespace gpusan::vulkan
