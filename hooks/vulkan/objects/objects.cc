// The life cycle that all objects share.
#include "hooks/vulkan/objects/objects.h"

namespace gpusan::vulkan {

std::atomic<bool> shares_handles{false};

PlainObject* KeepPlain(VkCall& call, ObjectKind kind, uintptr_t handle, void* native) {
  Tracker& tracker = call.tracker();
  if (Object* known = tracker.objects().Find(Api::kVulkan, kind, handle);
      known != nullptr && known->live()) {
    if (known->context != call.device().object) [[unlikely]]
      shares_handles.store(true, std::memory_order_relaxed);
    tracker.objects().Retain(call, known);
    return static_cast<PlainObject*>(known);
  }
  PlainObject* object = tracker.objects().NewPlain(call, kind, handle, call.device().object);
  object->native = native;
  return object;
}

Object* UseForDestroy(VkCall& call, ObjectKind kind, uintptr_t handle, const char* argument) {
  if (handle == 0) return nullptr;
  Tracker& tracker = call.tracker();
  return tracker.objects().UseForRelease(call, tracker.objects().Find(Api::kVulkan, kind, handle),
                                         handle, MaskOf(kind), argument);
}

const char* DestroyVuid(ObjectKind kind) {
  static constexpr KindText kIds[] = {
      {ObjectKind::kPipeline, "VUID-vkDestroyPipeline-pipeline-00765"},
      {ObjectKind::kImageView, "VUID-vkDestroyImageView-imageView-01026"},
      {ObjectKind::kBufferView, "VUID-vkDestroyBufferView-bufferView-00936"},
      {ObjectKind::kSampler, "VUID-vkDestroySampler-sampler-01082"},
      {ObjectKind::kFramebuffer, "VUID-vkDestroyFramebuffer-framebuffer-00892"},
      {ObjectKind::kRenderPass, "VUID-vkDestroyRenderPass-renderPass-00873"},
      {ObjectKind::kQueryPool, "VUID-vkDestroyQueryPool-queryPool-00793"},
      {ObjectKind::kUserEvent, "VUID-vkDestroyEvent-event-01145"},
      {ObjectKind::kSemaphore, "VUID-vkDestroySemaphore-semaphore-05149"},
      {ObjectKind::kAccelerationStructure,
       "VUID-vkDestroyAccelerationStructureKHR-accelerationStructure-02442"},
      {ObjectKind::kShaderObject, "VUID-vkDestroyShaderEXT-shader-08481"},
  };
  return TextOfKind(kind, kIds, "");
}

void DestroyHeldObject(VkCall& call, ObjectKind kind, uintptr_t handle) {
  Object* object = UseForDestroy(call, kind, handle, ObjectKindName(kind));
  if (object == nullptr) return;
  auto* held = static_cast<HeldState*>(static_cast<PlainObject*>(object)->part);
  // The object is destroyed with the last reference to its handle.
  const bool destroyed = object->references.load(std::memory_order_relaxed) <= 1;
  // DestroyVuid is called only if the check may need it.
  if (held != nullptr && destroyed &&
      (held->used.MayBePending(call.tracker().ordering().host()) || HasParked(call.device())))
      [[unlikely]]
    CheckNotPending(call, *object, held->used, held->held_lock, rules::PendingUse::Act::kDestroy,
                    DestroyVuid(kind));
  Destroy(call, object);
}

}  // namespace gpusan::vulkan
