// See the header.
#include "hooks/vulkan/objects.h"

namespace gpusan::vulkan {

PlainObject* KeepPlain(VkCall& call, ObjectKind kind, uintptr_t handle, void* native) {
  Tracker& tracker = call.tracker();
  if (Object* known = tracker.Find(Api::kVulkan, kind, handle); known != nullptr && known->live()) {
    tracker.Retain(call, known);
    return static_cast<PlainObject*>(known);
  }
  PlainObject* object = tracker.NewPlain(call, kind, handle, call.device().object);
  object->native = native;
  return object;
}

Object* UseForDestroy(VkCall& call, ObjectKind kind, uintptr_t handle, const char* argument) {
  if (handle == 0) return nullptr;
  Tracker& tracker = call.tracker();
  return tracker.UseForRelease(call, tracker.Find(Api::kVulkan, kind, handle), handle, MaskOf(kind),
                               argument);
}

}  // namespace gpusan::vulkan
