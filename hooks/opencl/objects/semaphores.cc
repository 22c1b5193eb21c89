// The state of semaphores, and the handlers of their creation, retain and release
// (cl_khr_semaphore).
#include "hooks/opencl/objects/semaphores.h"

#include <mutex>

#include "absl/container/btree_map.h"
#include "hooks/opencl/objects/use_objects.h"

#ifdef cl_khr_semaphore
namespace gpusan::opencl {
namespace {

// A binary semaphore: the n-th wait is ordered after the n-th signal (cl_khr_semaphore, "Binary
// semaphores").
struct Semaphore {
  bool foreign = false;  // SemaphoreWait::foreign
  uint64_t signals = 0;
  uint64_t waits = 0;
  Snapshot last;  // the point of the last signal
};

std::mutex g_lock;
// Guarded by g_lock.
absl::btree_map<const Object*, Semaphore>& Semaphores() {
  static auto* const semaphores = new absl::btree_map<const Object*, Semaphore>();
  return *semaphores;
}

bool IsForeign(const cl_semaphore_properties_khr* properties) {
  for (const cl_semaphore_properties_khr* at = properties; at != nullptr && *at != 0; at += 2) {
    // Any other property may be a list (of devices or handles), which ends in 0 and has no fixed
    // length: the semaphore counts as foreign.
    if (at[0] != CL_SEMAPHORE_TYPE_KHR || at[1] != CL_SEMAPHORE_TYPE_BINARY_KHR) return true;
  }
  return false;
}

void UseSemaphore(ClCall& call, cl_semaphore_khr semaphore) {
  if (!IsNull(call, semaphore, kSemaphore, "sema_object"))
    call.tracker().objects().Use(call, HandleOf(semaphore), kSemaphore, "sema_object");
}

}  // namespace

uint64_t NoteSignal(const Object& semaphore, const Snapshot& point) {
  std::lock_guard lock(g_lock);
  Semaphore& state = Semaphores()[&semaphore];
  state.last = point;
  return ++state.signals;
}

SemaphoreWait NoteWait(const Object& semaphore) {
  std::lock_guard lock(g_lock);
  Semaphore& state = Semaphores()[&semaphore];
  SemaphoreWait wait;
  wait.number = ++state.waits;
  wait.foreign = state.foreign;
  wait.signalled = state.signals >= wait.number;
  wait.point = state.last;
  return wait;
}

namespace handlers {

void clCreateSemaphoreWithPropertiesKHR::After(ClCall& call, cl_semaphore_khr semaphore, cl_context,
                                               const cl_semaphore_properties_khr* properties,
                                               cl_int*) {
  if (!Created(call, ObjectKind::kSemaphore, semaphore)) return;
  const Object* object = call.tracker().objects().NewPlain(call, ObjectKind::kSemaphore,
                                                           HandleOf(semaphore), context_);
  std::lock_guard lock(g_lock);
  Semaphores()[object].foreign = IsForeign(properties);
}

void clRetainSemaphoreKHR::Before(ClCall& call, cl_semaphore_khr semaphore) {
  if (!IsNull(call, semaphore, kSemaphore, "sema_object"))
    Find(call, semaphore, kSemaphore, "sema_object");
}

void clReleaseSemaphoreKHR::Before(ClCall& call, cl_semaphore_khr semaphore) {
  if (IsNull(call, semaphore, kSemaphore, "sema_object")) return;
  const Object* last = ReleaseLast(call, semaphore, kSemaphore, "sema_object");
  if (last == nullptr) return;
  std::lock_guard lock(g_lock);
  Semaphores().erase(last);
}

void clGetSemaphoreInfoKHR::Before(ClCall& call, cl_semaphore_khr semaphore, cl_semaphore_info_khr,
                                   size_t, void*, size_t*) {
  UseSemaphore(call, semaphore);
}

#ifdef cl_khr_external_semaphore
void clGetSemaphoreHandleForTypeKHR::Before(ClCall& call, cl_semaphore_khr semaphore, cl_device_id,
                                            cl_external_semaphore_handle_type_khr, size_t, void*,
                                            size_t*) {
  UseSemaphore(call, semaphore);
}
#endif

}  // namespace handlers
}  // namespace gpusan::opencl
#endif
