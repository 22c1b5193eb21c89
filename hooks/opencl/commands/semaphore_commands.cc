// Handlers of commands on semaphores (cl_khr_semaphore): a signal publishes the order of its queue,
// a wait joins it.
#include "absl/container/inlined_vector.h"
#include "hooks/opencl/call/extension_handlers.h"
#include "hooks/opencl/commands/enqueue.h"
#include "hooks/opencl/objects/semaphores.h"

#ifdef cl_khr_semaphore
namespace gpusan::opencl {
namespace {

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

cl_int Handle_clEnqueueSignalSemaphoresKHR(ClCall& call, clEnqueueSignalSemaphoresKHR_fn next,
                                           cl_command_queue queue, cl_uint num_semaphores,
                                           const cl_semaphore_khr* semaphores,
                                           const cl_semaphore_payload_khr* payloads, cl_uint count,
                                           const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  const Objects objects = UseSemaphores(call, enqueue.queue(), num_semaphores, semaphores);
  enqueue.Begin();
  // Before the real call: another thread can enqueue a wait as soon as the signal is enqueued. On
  // an out-of-order queue the point is ordered behind more commands than the signal waits for: this
  // can hide a race and never reports one that does not exist.
  if (enqueue.queue() != nullptr) {
    const Snapshot point = call.tracker().Snap(*enqueue.queue());
    for (const Object* object : objects) {
      call.tracker().OpenGate(call, *object, NoteSignal(*object, point), point);
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
  // Every later command of the queue is ordered behind the signal.
  for (Object* object : objects) {
    if (enqueue.queue() == nullptr) break;
    const SemaphoreWait wait = NoteWait(*object);
    if (wait.foreign) {
      call.tracker().OrderBehind(*enqueue.queue(), call.tracker().SnapAll());
    } else if (wait.signalled) {
      call.tracker().OrderBehind(*enqueue.queue(), wait.point);
    } else {
      call.tracker().GateBehind(*enqueue.queue(), *object, wait.number);
    }
  }
  enqueue.Begin();
  const cl_int code = next(queue, num_semaphores, semaphores, payloads, count, list, event);
  enqueue.End(code, false);
  return call.Done(code);
}

}  // namespace gpusan::opencl
#endif
