// Wrapped callbacks of the program: gpusan intercepts the calls that a callback makes, and a
// completion callback orders its command before what the host does next.
//
// A wrapped callback is a function of gpusan with a small heap closure as its user data. The
// closure is freed when the driver cannot call the callback again. Drivers run callbacks on any
// thread, also inside the call that registers them.
#pragma once

#include <CL/cl.h>

#include "tracker/objects/event.h"

namespace gpusan {
class Tracker;
}

namespace gpusan::opencl {

class ClCall;

using ContextNotify = void(CL_CALLBACK*)(const char* info, const void* private_info, size_t size,
                                         void* user_data);
using ContextDestructor = void(CL_CALLBACK*)(cl_context context, void* user_data);
using ProgramNotify = void(CL_CALLBACK*)(cl_program program, void* user_data);
using MemoryDestructor = void(CL_CALLBACK*)(cl_mem memory, void* user_data);
using EventNotify = void(CL_CALLBACK*)(cl_event event, cl_int status, void* user_data);
using SvmFreeNotify = void(CL_CALLBACK*)(cl_command_queue queue, cl_uint count, void* pointers[],
                                         void* user_data);

// The function and user data to pass to the driver. If the program passes no callback, `function`
// is nullptr and `user_data` is the program's.
template <typename Function>
struct WrappedCallback {
  Function function = nullptr;
  void* user_data = nullptr;
  void (*discard)(void*) = nullptr;
  // Replaces the program's arguments of a call.
  void Replace(Function& program_function, void*& program_data) const {
    program_function = function;
    program_data = user_data;
  }
  // Frees the closure: the driver rejected the callback.
  void Discard() const {
    if (discard != nullptr) discard(user_data);
  }
};

WrappedCallback<ContextNotify> WrapContextNotify(ContextNotify function, void* user_data);
WrappedCallback<ContextDestructor> WrapContextDestructor(ContextDestructor function,
                                                         void* user_data);
WrappedCallback<ProgramNotify> WrapProgramNotify(ProgramNotify function, void* user_data);
WrappedCallback<MemoryDestructor> WrapMemoryDestructor(MemoryDestructor function, void* user_data);
// If the status says that the command has ended, the host joins the event before the program's
// callback runs. `event` may be nullptr.
WrappedCallback<EventNotify> WrapEventNotify(Tracker& tracker, Event* event, EventNotify function,
                                             void* user_data);
// The program frees the pointers in this callback, ordered behind the wait list of the command.
WrappedCallback<SvmFreeNotify> WrapSvmFreeNotify(SvmFreeNotify function, void* user_data);

// Returns whether the calling thread runs an SvmFreeNotify.
bool InSvmFreeNotify();

namespace callbacks_internal {
// How many callbacks of events and memory objects the calling thread runs.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local int depth;
void ReportBlocking(ClCall& call);
}  // namespace callbacks_internal

// Checks that the call, which may block, is not made in a callback of an event or memory object.
inline void CheckMayBlock(ClCall& call) {
  if (callbacks_internal::depth != 0) [[unlikely]]
    callbacks_internal::ReportBlocking(call);
}

}  // namespace gpusan::opencl
