// External synchronization (Vulkan 1.3 §3.6): two threads must not use certain objects at the same
// time. Two calls are compared only if the object must be externally synchronized in both.
#pragma once

#include "hooks/common/concurrent_uses.h"
#include "hooks/vulkan/call/call.h"

namespace gpusan::vulkan {

// Adds the finding about an object that another thread's call uses.
[[gnu::noinline, gnu::cold]] void ReportOtherUse(VkCall& call, const Object& object,
                                                 const OtherUse& other);

// The call uses the object until `uses` is destroyed. Adds a finding if another thread is inside of
// a call that uses it.
inline void UseAlone(VkCall& call, UsesOfCall& uses, LastUser& user, const Object& object) {
  OtherUse other;
  if (uses.Begin(user, call.info(), call.site(), 0, &other)) [[unlikely]]
    ReportOtherUse(call, object, other);
}
// Returns the live object with the handle if it has a state (Object::part), otherwise nullptr.
inline PlainObject* FindWithState(VkCall& call, ObjectKind kind, uintptr_t handle) {
  if (handle == 0) return nullptr;
  auto* object =
      static_cast<PlainObject*>(call.tracker().objects().Find(Api::kVulkan, kind, handle));
  return object != nullptr && object->live() && object->part != nullptr ? object : nullptr;
}
// Like UseAlone, for a handle. `State` has a member `user` of type LastUser. Does nothing for an
// unknown handle.
template <typename State>
void UseObjectAlone(VkCall& call, UsesOfCall& uses, ObjectKind kind, uintptr_t handle) {
  PlainObject* object = FindWithState(call, kind, handle);
  if (object != nullptr) UseAlone(call, uses, static_cast<State*>(object->part)->user, *object);
}

}  // namespace gpusan::vulkan
