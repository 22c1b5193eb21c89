// The life cycle that all objects share.
#include "hooks/vulkan/objects/objects.h"

#include "hooks/vulkan/objects/shared_handles.h"

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
  switch (kind) {
    case ObjectKind::kPipeline:
      return "VUID-vkDestroyPipeline-pipeline-00765";
    case ObjectKind::kImageView:
      return "VUID-vkDestroyImageView-imageView-01026";
    case ObjectKind::kBufferView:
      return "VUID-vkDestroyBufferView-bufferView-00936";
    case ObjectKind::kSampler:
      return "VUID-vkDestroySampler-sampler-01082";
    case ObjectKind::kFramebuffer:
      return "VUID-vkDestroyFramebuffer-framebuffer-00892";
    case ObjectKind::kRenderPass:
      return "VUID-vkDestroyRenderPass-renderPass-00873";
    case ObjectKind::kQueryPool:
      return "VUID-vkDestroyQueryPool-queryPool-00793";
    case ObjectKind::kUserEvent:
      return "VUID-vkDestroyEvent-event-01145";
    case ObjectKind::kSemaphore:
      return "VUID-vkDestroySemaphore-semaphore-05149";
    case ObjectKind::kAccelerationStructure:
      return "VUID-vkDestroyAccelerationStructureKHR-accelerationStructure-02442";
    case ObjectKind::kShaderObject:
      return "VUID-vkDestroyShaderEXT-shader-08481";
    default:
      return "";
  }
}

void DestroyHeldObject(VkCall& call, ObjectKind kind, uintptr_t handle) {
  Object* object = UseForDestroy(call, kind, handle, ObjectKindName(kind));
  if (object == nullptr) return;
  auto* held = static_cast<HeldState*>(static_cast<PlainObject*>(object)->part);
  // The object is destroyed with the last reference to its handle.
  if (held != nullptr && object->references.load(std::memory_order_relaxed) <= 1)
    CheckNotPending(call, *object, held->used, held->held_lock, rules::PendingUse::Act::kDestroy,
                    DestroyVuid(kind));
  Destroy(call, object);
}

}  // namespace gpusan::vulkan
