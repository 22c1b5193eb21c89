// Handlers of commands on semaphores (cl_khr_semaphore): a signal publishes the order of its queue,
// a wait joins it.
#include "hooks/opencl/commands/semaphore_commands.h"

#include "absl/container/inlined_vector.h"
#include "hooks/opencl/objects/delays.h"
#include "hooks/opencl/objects/semaphores.h"
#include "hooks/opencl/objects/use_objects.h"

#ifdef cl_khr_semaphore
namespace gpusan::opencl {
namespace {

using Objects = absl::InlinedVector<Object*, 4>;

Objects UseSemaphores(ClCall& call, const Object* owner, cl_uint count,
                      const cl_semaphore_khr* list) {
  Objects objects;
  for (cl_uint i = 0; list != nullptr && i < count; ++i) {
    Object* object = UseElement(call, owner, list[i], kSemaphore, "sema_objects", i);
    if (object != nullptr) objects.push_back(object);
  }
  return objects;
}

}  // namespace

namespace handlers {

void clEnqueueSignalSemaphoresKHR::Before(ClCall& call, cl_command_queue queue,
                                          cl_uint num_semaphores,
                                          const cl_semaphore_khr* semaphores,
                                          const cl_semaphore_payload_khr*, cl_uint count,
                                          const cl_event* list, cl_event* event) {
  Open(call, queue, count, list, event);
  const Objects objects = UseSemaphores(call, this->queue(), num_semaphores, semaphores);
  Begin(call);
  // Before the real call: another thread can enqueue a wait as soon as the signal is enqueued. On
  // an out-of-order queue the point is ordered after more commands than the signal waits for: this
  // can hide a race and never reports one that does not exist.
  if (this->queue() == nullptr) return;
  const Snapshot point = call.tracker().ordering().Snap(*this->queue());
  for (const Object* object : objects) {
    call.tracker().ordering().OpenGate(call, *object, NoteSignal(*object, point), point);
  }
}

void clEnqueueWaitSemaphoresKHR::Before(ClCall& call, cl_command_queue queue,
                                        cl_uint num_semaphores, const cl_semaphore_khr* semaphores,
                                        const cl_semaphore_payload_khr*, cl_uint count,
                                        const cl_event* list, cl_event* event) {
  Open(call, queue, count, list, event);
  const Objects objects = UseSemaphores(call, this->queue(), num_semaphores, semaphores);
  if (objects.size() != num_semaphores) NoteOutsideDelay();
  // Every later command of the queue is ordered after the signal.
  for (Object* object : objects) {
    if (this->queue() == nullptr) break;
    const SemaphoreWait wait = NoteWait(*object);
    if (wait.foreign || !wait.signalled) NoteOutsideDelay();
    if (wait.foreign) {
      call.tracker().ordering().OrderBehind(*this->queue(), call.tracker().SnapAll());
    } else if (wait.signalled) {
      call.tracker().ordering().OrderBehind(*this->queue(), wait.point);
    } else {
      call.tracker().ordering().GateBehind(*this->queue(), *object, wait.number);
    }
  }
  Begin(call);
}

}  // namespace handlers
}  // namespace gpusan::opencl
#endif
