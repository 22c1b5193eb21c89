// What all objects share: they are made, destroyed once, and may be used by pending work only until
// then.
#pragma once

#include <mutex>

#include "hooks/common/guard.h"
#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/objects/resources.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {

// An object without memory. A driver may answer two equal creations with one handle: that is one
// more reference.
PlainObject* KeepPlain(VkCall& call, ObjectKind kind, uintptr_t handle, void* native = nullptr);

// The same for one with a part of its own, which is returned to be filled in; nullptr where it was
// there already.
template <typename State>
State* KeepNew(VkCall& call, ObjectKind kind, uintptr_t handle) {
  PlainObject* object = KeepPlain(call, kind, handle);
  if (object->part != nullptr) return nullptr;
  State* state = State::New();
  object->part = state;
  return state;
}
// The part of a live object; nullptr if there is none of that handle. Nothing is judged.
template <typename State>
State* FindPart(VkCall& call, ObjectKind kind, uintptr_t handle) {
  Object* object = call.tracker().Find(Api::kVulkan, kind, handle);
  return object != nullptr && object->live()
             ? static_cast<State*>(static_cast<PlainObject*>(object)->part)
             : nullptr;
}
// The same for what the call uses: what cannot be used is a finding.
template <typename State>
State* UsePart(VkCall& call, ObjectKind kind, uintptr_t handle, const char* argument) {
  auto* object = static_cast<PlainObject*>(call.tracker().Use(call, kind, handle, argument));
  return object != nullptr ? static_cast<State*>(object->part) : nullptr;
}

// What a vkDestroy* is about to destroy; nullptr when the handle is NULL or not known, or not
// usable: then the finding has been added.
Object* UseForDestroy(VkCall& call, ObjectKind kind, uintptr_t handle, const char* argument);
// The same where what a thread destroys is often what it made last.
template <ObjectKind kind>
Object* UseRecentForDestroy(VkCall& call, uintptr_t handle, const char* argument) {
  Object* recent = PeekRecent<kind>(handle);
  return recent != nullptr ? recent : UseForDestroy(call, kind, handle, argument);
}
// Before the real call: the handle may be in use again at once.
inline void Destroy(VkCall& call, Object* object) {
  if (object == nullptr) return;
  call.site();  // by the short way
  constexpr KindMask kCounted = AnyOf(ObjectKind::kBuffer, ObjectKind::kImage,
                                      ObjectKind::kPipeline, ObjectKind::kDescriptorSet);
  if ((MaskOf(object->kind) & kCounted) != 0) NoteReleasedObject();
  call.tracker().Release(call, object);
}

// The same for memory, where nothing is to be said and no VkCall is needed; `judged(Resource&)`:
// something may be, which Before finds. A handler's Short.
template <ObjectKind kind, typename Judged>
[[gnu::always_inline]] inline bool DestroyShortly(Tracker& tracker, const Place& place,
                                                  uintptr_t handle, Judged judged) {
  Object* object = PeekRecent<kind>(handle);
  if (object == nullptr) [[unlikely]]
    return false;
  Resource& resource = static_cast<Resource&>(*object);
  if (judged(resource)) [[unlikely]]
    return false;
  const SiteId site = WarmSite(place.return_address, place.frame_address);
  if (site == kUnknownSite) [[unlikely]]
    return false;
  ReentryGuard guard;
  if (!tracker.ReleasePlain(resource, site)) [[unlikely]]
    return false;
  if (kind != ObjectKind::kPhysicalMemory) NoteReleasedObject();
  return true;
}

template <typename Uses, typename Lock>
[[gnu::noinline]] void CheckPending(VkCall& call, const Object& object, const Uses& uses,
                                    Lock& lock, rules::PendingUse::Act act, const char* vuid) {
  rules::PendingUse use;
  {
    std::lock_guard guard(lock);
    if (!uses.Pending(call.tracker().host())) [[likely]]
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
// What `uses` says is judged as free-in-flight and its kin, where it is not known to be complete.
template <typename Uses, typename Lock>
inline void CheckNotPending(VkCall& call, const Object& object, const Uses& uses, Lock& lock,
                            rules::PendingUse::Act act, const char* vuid) {
  if (uses.MayBePending(call.tracker().host())) [[unlikely]]
    CheckPending(call, object, uses, lock, act, vuid);
}

// vkCreate* and vkDestroy* of objects that are only known to be there.
template <ObjectKind kind, typename Info, typename Handle>
struct CreatePlain {
  void After(VkCall& call, VkResult code, VkDevice, const Info*, const VkAllocationCallbacks*,
             Handle* handle) {
    if (code == VK_SUCCESS) {
      KeepPlain(call, kind, HandleOf(*handle));
    } else {
      call.tracker().NoteFailedCreation(call, kind, code, 0);
    }
  }
};
template <ObjectKind kind, typename Handle>
struct DestroyPlain {
  void Before(VkCall& call, VkDevice, Handle handle, const VkAllocationCallbacks*) {
    Destroy(call, UseForDestroy(call, kind, HandleOf(handle), ObjectKindName(kind)));
  }
};

// The clause by which an object of that kind must not be destroyed while commands use it.
const char* DestroyVuid(ObjectKind kind);

// The same for objects that commands use, with a HeldState.
template <ObjectKind kind, typename Info, typename Handle>
struct CreateHeld {
  void After(VkCall& call, VkResult code, VkDevice, const Info*, const VkAllocationCallbacks*,
             Handle* handle) {
    if (code != VK_SUCCESS) {
      call.tracker().NoteFailedCreation(call, kind, code, 0);
      return;
    }
    PlainObject* object = KeepPlain(call, kind, HandleOf(*handle));
    if (object->part == nullptr) object->part = PlainHeldState::New();
  }
};
// An object with a HeldState is about to be destroyed.
void DestroyHeldObject(VkCall& call, ObjectKind kind, uintptr_t handle);
template <ObjectKind kind, typename Handle>
struct DestroyHeld {
  void Before(VkCall& call, VkDevice, Handle handle, const VkAllocationCallbacks*) {
    DestroyHeldObject(call, kind, HandleOf(handle));
  }
};

}  // namespace gpusan::vulkan
