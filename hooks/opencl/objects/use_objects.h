// Look-ups of the objects that a call names.
//
// Each Use function returns the live object behind the handle; nullptr if gpusan has not seen its
// creation, or if the object is not usable: then the call has a finding. `argument` is the
// parameter's name for the finding. Thread-safe.
#pragma once

#include "absl/container/inlined_vector.h"
#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

inline constexpr KindMask kAnyMemory =
    AnyOf(ObjectKind::kBuffer, ObjectKind::kImage, ObjectKind::kPipe);
inline constexpr KindMask kAnyEvent = AnyOf(ObjectKind::kEvent, ObjectKind::kUserEvent);

Object* UseContext(ClCall& call, cl_context context);
Queue* UseQueue(ClCall& call, cl_command_queue queue);
inline PlainObject* UseProgram(ClCall& call, cl_program program) {
  return static_cast<PlainObject*>(call.tracker().objects().Use(
      call, HandleOf(program), MaskOf(ObjectKind::kProgram), "program"));
}
inline Kernel* UseKernel(ClCall& call, cl_kernel kernel) {
  return static_cast<Kernel*>(
      call.tracker().objects().Use(call, HandleOf(kernel), MaskOf(ObjectKind::kKernel), "kernel"));
}
// The kernel of a command. With an `owner`, NULL is a finding.
Kernel* UseKernelOf(ClCall& call, const Object* owner, cl_kernel kernel);

// Also adds a finding if the memory belongs to another context than `owner` (nullptr: not known).
// With an owner, NULL is a finding: the loader checks the first handle of a call only.
Resource* UseMemory(ClCall& call, const Object* owner, cl_mem memory, KindMask kinds,
                    const char* argument);

// Returns whether a handle that the loader does not check is NULL, after adding the finding.
inline bool IsNull(ClCall& call, const void* handle, KindMask kinds, const char* argument) {
  if (handle == nullptr) call.tracker().objects().RejectNull(call, kinds, argument);
  return handle == nullptr;
}

// Element `index` of a list of objects, where NULL is a finding. `argument` is the parameter's
// name; findings name the element, too.
Object* UseElement(ClCall& call, const Object* owner, const void* handle, KindMask kinds,
                   const char* argument, cl_uint index);

// Appends the live events of a wait list to `waits`, with the same check of their contexts.
using Waits = absl::InlinedVector<Event*, 4>;
void UseWaitList(ClCall& call, const Object* owner, cl_uint count, const cl_event* list,
                 Waits* waits, const char* argument = "event_wait_list");

// A query returned a handle in `value`, which may be nullptr. If the program has released that
// object, another object holds it, and the program may use it again.
void KeepReturned(ClCall& call, const void* value);

// Returns whether a call that creates an object of `kind` returned one. Notes the failed creation
// otherwise.
inline bool Created(ClCall& call, ObjectKind kind, const void* object) {
  if (object != nullptr) return true;
  call.tracker().objects().NoteFailedCreation(call, kind, call.code(), 0);
  return false;
}

// The base of the handlers that create an object in a context, which is their first argument.
class InContext {
 public:
  template <typename... Arguments>
  void Before(ClCall& call, cl_context context, Arguments...) {
    context_ = UseContext(call, context);
  }

 protected:
  Object* context_ = nullptr;
};

}  // namespace gpusan::opencl
