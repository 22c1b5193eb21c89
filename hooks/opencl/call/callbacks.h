// The program's callbacks: what they call is watched, and a completion callback tells what the host
// now knows.
//
// A wrapped callback is a function of gpusan's with a small heap closure as its user data, given
// back when the callback can come no more. Callbacks come on any thread; a driver may also call
// them inside the call that registers them.
#pragma once

#include <CL/cl.h>

#include <cstdint>

#include "tracker/objects/event.h"

namespace gpusan {
class Tracker;
}

namespace gpusan::opencl {

using ContextNotify = void(CL_CALLBACK*)(const char* info, const void* private_info, size_t size,
                                         void* user_data);
using ContextDestructor = void(CL_CALLBACK*)(cl_context context, void* user_data);
using ProgramNotify = void(CL_CALLBACK*)(cl_program program, void* user_data);
using MemoryDestructor = void(CL_CALLBACK*)(cl_mem memory, void* user_data);
using EventNotify = void(CL_CALLBACK*)(cl_event event, cl_int status, void* user_data);
using SvmFreeNotify = void(CL_CALLBACK*)(cl_command_queue queue, cl_uint count, void* pointers[],
                                         void* user_data);

// What to hand to the driver instead; both nullptr if the program gave no callback (its user data
// is kept then).
template <typename Function>
struct WrappedCallback {
  Function function = nullptr;
  void* user_data = nullptr;
  void (*discard)(void*) = nullptr;
  // The driver refused it: the closure goes back.
  void Discard() const {
    if (discard != nullptr) discard(user_data);
  }
};

WrappedCallback<ContextNotify> WrapContextNotify(ContextNotify function, void* user_data);
WrappedCallback<ContextDestructor> WrapContextDestructor(ContextDestructor function,
                                                         void* user_data);
WrappedCallback<ProgramNotify> WrapProgramNotify(ProgramNotify function, void* user_data);
WrappedCallback<MemoryDestructor> WrapMemoryDestructor(MemoryDestructor function, void* user_data);
// Joins the event's command to the host before the program's callback runs, when the status says
// that it ended.
WrappedCallback<EventNotify> WrapEventNotify(Tracker& tracker, Event* event, EventNotify function,
                                             void* user_data);
// The program frees the pointers in there, ordered behind what the command waited for.
WrappedCallback<SvmFreeNotify> WrapSvmFreeNotify(SvmFreeNotify function, void* user_data);

// True on a thread that runs such a callback.
bool InSvmFreeNotify();

}  // namespace gpusan::opencl
