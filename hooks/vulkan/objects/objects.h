// The life cycle that all objects share: they are created, destroyed once, and not used by pending
// work when they are destroyed.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <type_traits>

#include "hooks/common/guard.h"
#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/objects/resources.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {

// Adds an object without memory. A driver may return one handle for two equal creations: the second
// one adds a reference.
PlainObject* KeepPlain(VkCall& call, ObjectKind kind, uintptr_t handle, void* native = nullptr);

// Adds an object with a state of type `State`, and returns the new state for the caller to fill in;
// nullptr if the object existed.
template <typename State>
State* KeepNew(VkCall& call, ObjectKind kind, uintptr_t handle) {
  PlainObject* object = KeepPlain(call, kind, handle);
  if (object->part != nullptr) return nullptr;
  State* state = State::New();
  if constexpr (std::is_base_of_v<Described, State>) state->Know();
  object->part = state;
  return state;
}
// The same for kinds of which two live objects of a device never have one handle. The description
// of an object that existed becomes unknown.
template <typename State>
State* KeepDescribed(VkCall& call, ObjectKind kind, uintptr_t handle) {
  State* state = KeepNew<State>(call, kind, handle);
  if (state != nullptr) [[likely]]
    return state;
  auto* object =
      static_cast<PlainObject*>(call.tracker().objects().Find(Api::kVulkan, kind, handle));
  if (object != nullptr && object->part != nullptr) static_cast<State*>(object->part)->Forget();
  return nullptr;
}
// Adds an object of a kind of which a driver may share one handle between equal objects. `fill`
// describes it: fill(State*). The description of a live object with the handle becomes unknown
// unless it is equal.
template <typename State, typename Fill>
void KeepShared(VkCall& call, ObjectKind kind, uintptr_t handle, Fill fill) {
  State* state = State::New();
  state->Know();
  fill(state);
  PlainObject* object = KeepPlain(call, kind, handle);
  if (object->part == nullptr) [[likely]] {
    object->part = state;
    return;
  }
  State* known = static_cast<State*>(object->part);
  if (!known->Equals(*state)) known->Forget();
  state->Recycle();
}
// The state of an object; nullptr for no object, and for one whose description is unknown.
template <typename State>
State* DescriptionOf(const PlainObject* object) {
  if (object == nullptr || object->part == nullptr) return nullptr;
  State* state = static_cast<State*>(object->part);
  if constexpr (std::is_base_of_v<Described, State>) return state->known() ? state : nullptr;
  return state;
}
// The state of a live object; nullptr if no live object has the handle, or if its description is
// unknown. Reports nothing.
template <typename State>
State* FindPart(VkCall& call, ObjectKind kind, uintptr_t handle) {
  Object* object = call.tracker().objects().Find(Api::kVulkan, kind, handle);
  return object != nullptr && object->live()
             ? DescriptionOf<State>(static_cast<const PlainObject*>(object))
             : nullptr;
}
// The same for an object that the call uses. nullptr also for an unusable handle; the finding is
// added.
template <typename State>
State* UsePart(VkCall& call, ObjectKind kind, uintptr_t handle, const char* argument) {
  return DescriptionOf<State>(static_cast<PlainObject*>(UseHandle(call, kind, handle, argument)));
}

// Returns the object that a vkDestroy* is about to destroy; nullptr for VK_NULL_HANDLE and for an
// unknown or unusable handle. Adds a finding for an unusable handle.
Object* UseForDestroy(VkCall& call, ObjectKind kind, uintptr_t handle, const char* argument);
// The same for kinds of objects that threads often destroy right after their creation.
template <ObjectKind kind>
Object* UseRecentForDestroy(VkCall& call, uintptr_t handle, const char* argument) {
  Object* recent = PeekRecent<kind>(handle);
  return recent != nullptr ? recent : UseForDestroy(call, kind, handle, argument);
}
// Releases the object. Called before the real call, after which the driver may reuse the handle.
inline void Destroy(VkCall& call, Object* object) {
  if (object == nullptr) return;
  call.site();  // inlined fast path
  constexpr KindMask kCounted = AnyOf(ObjectKind::kBuffer, ObjectKind::kImage,
                                      ObjectKind::kPipeline, ObjectKind::kDescriptorSet);
  if ((MaskOf(object->kind) & kCounted) != 0) {
    NoteReleasedObject();
  } else {
    released_others.store(released_others.load(std::memory_order_relaxed) + 1,
                          std::memory_order_relaxed);
  }
  call.tracker().objects().Release(call, object);
}

// TryFast of a command that destroys a resource: releases the resource without a VkCall.
// `needs_check(Resource&)`: whether Before may find a defect. Returns false, without side effects,
// if the call needs the slow path.
template <ObjectKind kind, typename NeedsCheck>
[[gnu::always_inline]] inline bool TryDestroyFast(FastCall& call, uintptr_t handle,
                                                  NeedsCheck needs_check) {
  Object* object = PeekRecent<kind>(handle);
  if (object == nullptr) {
    // The thread destroys several objects in turn.
    object = handle != 0 ? call.tracker->objects().Peek(Api::kVulkan, kind, handle) : nullptr;
    if (object == nullptr || !object->live()) [[unlikely]]
      return false;
  }
  Resource& resource = static_cast<Resource&>(*object);
  if (needs_check(resource)) [[unlikely]]
    return false;
  const SiteId site = WarmSite(call.return_address, call.frame_address);
  if (site == kUnknownSite) [[unlikely]]
    return false;
  ReentryGuard guard;
  if (!call.tracker->objects().ReleasePlain(resource, site)) [[unlikely]]
    return false;
  if (kind != ObjectKind::kPhysicalMemory) NoteReleasedObject();
  return true;
}

// Whether work of the device waits for a timeline value that no submitted work signals.
inline bool HasParked(const Scope& device) {
  return static_cast<const Device&>(device).parked.load(std::memory_order_relaxed) != 0;
}
// Finds parked work: work that waits for a timeline value that no submitted work signals. If parked
// work uses the object, sets the call, site and label of `*use` and returns true. Precondition: no
// queue is locked. Defined in submission/parked_uses.cc.
[[gnu::cold]] bool FindParked(VkCall& call, const Object& object, rules::PendingUse* use);
// The same for parked work that waits for the event.
[[gnu::cold]] bool FindParkedWait(VkCall& call, const Object& event, rules::PendingUse* use);
// The same for parked work that uses one of the queries. Returns the query; nullopt: there is none.
[[gnu::cold]] std::optional<uint32_t> FindParkedQuery(VkCall& call, const Object& pool,
                                                      uint32_t first, uint32_t count,
                                                      rules::PendingUse* use);
// Reports a pending use if such work uses the object. Precondition: no queue is locked. Defined in
// submission/parked_uses.cc.
[[gnu::cold]] void CheckNotParked(VkCall& call, const Object& object, rules::PendingUse::Act act,
                                  const char* vuid);

template <typename Uses, typename Lock>
[[gnu::noinline]] void CheckPending(VkCall& call, const Object& object, const Uses& uses,
                                    Lock& lock, rules::PendingUse::Act act, const char* vuid) {
  rules::PendingUse use;
  {
    std::lock_guard guard(lock);
    if (!uses.Pending(call.tracker().ordering().host())) [[likely]]
      return;
    use.pending = uses.call;
    use.site = uses.site;
    use.label = uses.label;
  }
  use.act = act;
  use.object = &object;
  use.vuid = vuid;
  rules::OnPendingUse(use, call);
}
// Reports a pending use (free-in-flight and related checks) if a submission in `uses` is not known
// to be complete. `lock` guards `uses`; the caller does not hold it.
template <typename Uses, typename Lock>
inline void CheckNotPending(VkCall& call, const Object& object, const Uses& uses, Lock& lock,
                            rules::PendingUse::Act act, const char* vuid) {
  if (uses.MayBePending(call.tracker().ordering().host())) [[unlikely]]
    return CheckPending(call, object, uses, lock, act, vuid);
  if (HasParked(call.device())) [[unlikely]]
    CheckNotParked(call, object, act, vuid);
}

// TryFast and Before of the commands that destroy a buffer or an image.
template <ObjectKind kind>
[[gnu::always_inline]] inline bool TryDestroyScopedFast(FastCall& call, uintptr_t handle) {
  return TryDestroyFast<kind>(call, handle, [&](Resource& resource) {
    return ScopedOf(resource).used.MayBePending(call.tracker->ordering().host()) ||
           HasParked(*call.scope);
  });
}
template <ObjectKind kind>
void DestroyScoped(VkCall& call, uintptr_t handle, const char* argument, const char* vuid) {
  Object* object = UseRecentForDestroy<kind>(call, handle, argument);
  if (object == nullptr) return;
  ScopedState& state = ScopedOf(static_cast<Resource&>(*object));
  CheckNotPending(call, *object, state.used, state.lock, rules::PendingUse::Act::kDestroy, vuid);
  Destroy(call, object);
}

// Handler of vkDestroy* for objects of which only the existence is tracked.
template <ObjectKind kind, typename Handle>
struct DestroyPlain {
  void Before(VkCall& call, VkDevice, Handle handle, const VkAllocationCallbacks*) {
    Destroy(call, UseForDestroy(call, kind, HandleOf(handle), ObjectKindName(kind)));
  }
};

// The valid usage id that forbids the destruction of an object of the kind while commands use it.
const char* DestroyVuid(ObjectKind kind);

// Checks that no pending command uses the object, and releases it. The object has a HeldState.
void DestroyHeldObject(VkCall& call, ObjectKind kind, uintptr_t handle);
template <ObjectKind kind, typename Handle>
struct DestroyHeld {
  void Before(VkCall& call, VkDevice, Handle handle, const VkAllocationCallbacks*) {
    DestroyHeldObject(call, kind, HandleOf(handle));
  }
};

// True after a driver has returned one handle for live objects of several devices: the device that
// an object belongs to is then unknown. Never becomes false.
extern std::atomic<bool> shares_handles;

}  // namespace gpusan::vulkan
