// Handlers of cl_khr_semaphore: a signal passes on the order of its queue, a wait takes it over.
#include <memory>
#include <mutex>

#include "absl/container/btree_map.h"
#include "hooks/opencl/commands/enqueue.h"
#include "hooks/opencl/dispatch/extensions.h"
#include "hooks/opencl/objects/references.h"

#ifdef cl_khr_semaphore
namespace gpusan::opencl {
namespace {

constexpr KindMask kSemaphore = MaskOf(ObjectKind::kSemaphore);

// A binary semaphore: the n-th wait is behind the n-th signal (cl_khr_semaphore, "Binary
// semaphores").
struct Semaphore {
  // Signalled by others too, or of a type with payloads: a wait may be behind anything that was
  // enqueued before it.
  bool foreign = false;
  uint64_t signals = 0;
  uint64_t waits = 0;
  Snapshot last;  // the point of the last signal
};

std::mutex g_lock;
absl::btree_map<const Object*, Semaphore>& Semaphores() {
  static auto* const semaphores = new absl::btree_map<const Object*, Semaphore>();
  return *semaphores;
}

bool IsForeign(const cl_semaphore_properties_khr* properties) {
  for (const cl_semaphore_properties_khr* at = properties; at != nullptr && *at != 0; at += 2) {
    // Only what is known to keep a semaphore plain is; device lists and handles end in 0, unlike
    // single values.
    if (at[0] != CL_SEMAPHORE_TYPE_KHR || at[1] != CL_SEMAPHORE_TYPE_BINARY_KHR) return true;
  }
  return false;
}

using Objects = absl::InlinedVector<Object*, 4>;

Objects UseSemaphores(ClCall& call, const Object* owner, cl_uint count,
                      const cl_semaphore_khr* list) {
  Objects objects;
  for (cl_uint i = 0; list != nullptr && i < count; ++i) {
    Object* object = call.tracker().Use(call, HandleOf(list[i]), kSemaphore, "sema_objects");
    if (object == nullptr) continue;
    call.tracker().CheckContext(call, object, owner, "sema_objects");
    objects.push_back(object);
  }
  return objects;
}

}  // namespace

cl_semaphore_khr Handle_clCreateSemaphoreWithPropertiesKHR(
    ClCall& call, clCreateSemaphoreWithPropertiesKHR_fn next, cl_context context,
    const cl_semaphore_properties_khr* properties, cl_int* errcode_ret) {
  Object* owner =
      call.tracker().Use(call, HandleOf(context), MaskOf(ObjectKind::kContext), "context");
  call.BeforeReal();
  cl_int code = CL_SUCCESS;
  const cl_semaphore_khr semaphore = next(context, properties, &code);
  if (errcode_ret != nullptr) *errcode_ret = code;
  if (semaphore != nullptr) {
    const Object* object =
        call.tracker().NewPlain(call, ObjectKind::kSemaphore, HandleOf(semaphore), owner);
    std::lock_guard lock(g_lock);
    Semaphores()[object].foreign = IsForeign(properties);
  } else {
    call.tracker().NoteFailedCreation(call, ObjectKind::kSemaphore, code, 0);
  }
  return call.Done(semaphore, semaphore != nullptr ? CL_SUCCESS : code);
}

cl_int Handle_clRetainSemaphoreKHR(ClCall& call, clRetainSemaphoreKHR_fn next,
                                   cl_semaphore_khr semaphore) {
  return RetainHandle(call, next, semaphore, kSemaphore, "sema_object");
}

cl_int Handle_clReleaseSemaphoreKHR(ClCall& call, clReleaseSemaphoreKHR_fn next,
                                    cl_semaphore_khr semaphore) {
  return ReleaseHandle(call, next, semaphore, kSemaphore, "sema_object", [](const Object* object) {
    std::lock_guard lock(g_lock);
    Semaphores().erase(object);
  });
}

cl_int Handle_clEnqueueSignalSemaphoresKHR(ClCall& call, clEnqueueSignalSemaphoresKHR_fn next,
                                           cl_command_queue queue, cl_uint num_semaphores,
                                           const cl_semaphore_khr* semaphores,
                                           const cl_semaphore_payload_khr* payloads, cl_uint count,
                                           const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  const Objects objects = UseSemaphores(call, enqueue.queue(), num_semaphores, semaphores);
  enqueue.Begin();
  // Before the real call: a wait for it may come on another thread as soon as the signal is
  // enqueued. On an out-of-order queue the point is behind more than the signal has to wait for,
  // which hides and never invents.
  if (enqueue.queue() != nullptr) {
    const Snapshot point = call.tracker().Snap(*enqueue.queue());
    for (const Object* object : objects) {
      std::unique_lock lock(g_lock);
      Semaphore& semaphore = Semaphores()[object];
      semaphore.last = point;
      const uint64_t signal = ++semaphore.signals;
      lock.unlock();
      call.tracker().OpenGate(call, *object, signal, point);
    }
  }
  const cl_int code = next(queue, num_semaphores, semaphores, payloads, count, list, event);
  enqueue.End(code, false);
  return call.Done(code);
}

cl_int Handle_clEnqueueWaitSemaphoresKHR(ClCall& call, clEnqueueWaitSemaphoresKHR_fn next,
                                         cl_command_queue queue, cl_uint num_semaphores,
                                         const cl_semaphore_khr* semaphores,
                                         const cl_semaphore_payload_khr* payloads, cl_uint count,
                                         const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  const Objects objects = UseSemaphores(call, enqueue.queue(), num_semaphores, semaphores);
  // The order of the wait is that of everything behind it in its queue.
  for (Object* object : objects) {
    if (enqueue.queue() == nullptr) break;
    std::unique_lock lock(g_lock);
    Semaphore& semaphore = Semaphores()[object];
    const uint64_t wait = ++semaphore.waits;
    const bool foreign = semaphore.foreign;
    const bool signalled = semaphore.signals >= wait;
    const Snapshot point = semaphore.last;
    lock.unlock();
    if (foreign) {
      call.tracker().OrderBehind(*enqueue.queue(), call.tracker().SnapAll());
    } else if (signalled) {
      call.tracker().OrderBehind(*enqueue.queue(), point);
    } else {
      call.tracker().GateBehind(*enqueue.queue(), *object, wait);
    }
  }
  enqueue.Begin();
  const cl_int code = next(queue, num_semaphores, semaphores, payloads, count, list, event);
  enqueue.End(code, false);
  return call.Done(code);
}

}  // namespace gpusan::opencl
#endif
