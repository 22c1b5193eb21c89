// Functions for the fast paths of recorded commands, which look up resources and append records
// without a VkCall.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// FindFast for a resource that is not the last one of its kind.
template <ObjectKind kind>
[[gnu::noinline]] Object* FindNotRecent(const Tracker* tracker, uintptr_t handle) {
  Object* object = tracker != nullptr && handle != 0
                       ? tracker->objects().Find(Api::kVulkan, kind, handle)
                       : nullptr;
  if (object == nullptr || !object->live()) return nullptr;
  SetRecent<kind>(handle, object);
  return object;
}
// The live resource behind a handle, of the device of the command buffer. nullptr: the call needs
// the slow path.
template <ObjectKind kind>
[[gnu::always_inline]] inline Resource* FindFast(const FastCall& call,
                                                 const CommandBufferState& state,
                                                 uintptr_t handle) {
  Object* object = FindRecent<kind>(handle);
  if (object == nullptr) [[unlikely]]
    object = FindNotRecent<kind>(call.tracker, handle);
  return object != nullptr && object->context == state.scope->object
             ? static_cast<Resource*>(object)
             : nullptr;
}

// Appends the records of one command. Converts to false, without side effects, if the call site is
// not known: the call needs the slow path.
// Precondition: `state` is the FastState of the command, and its recording has room (HasRoom).
class FastRecorder {
 public:
  [[gnu::always_inline]] FastRecorder(const FastCall& call, CommandBufferState& state)
      : call_(call.info),
        recording_(*state.recording),
        site_(WarmSiteInline(call.return_address, call.frame_address)) {
    if (site_ == kUnknownSite) [[unlikely]]
      return;
    recording_.NextCommand();
    --state.fast_left;
  }
  explicit operator bool() const { return site_ != kUnknownSite; }

  template <typename T, typename E, typename... Fields>
  [[gnu::always_inline]] T& AppendWith(const E& extent, const Fields&... fields) {
    return recording_.AppendWith<T>(call_, site_, extent, fields...);
  }
  // As Recorder::Use.
  template <typename E>
  [[gnu::always_inline]] RecordedUse& Use(Resource& resource, const E& extent, uint64_t stage,
                                          uint64_t access, Layout layout = kNoLayout,
                                          bool write = false) {
    return AppendWith<RecordedUse>(extent, &resource,
                                   resource.generation.load(std::memory_order_relaxed), layout,
                                   stage, access, write);
  }
  // Precondition: the recording keeps the masks (KnownScopes).
  [[gnu::always_inline]] const ScopeBarrier* Scopes(const GivenMasks& masks) {
    return recording_.Scopes(masks);
  }

 private:
  const CallInfo& call_;
  Recording& recording_;
  SiteId site_;
};

}  // namespace gpusan::vulkan
