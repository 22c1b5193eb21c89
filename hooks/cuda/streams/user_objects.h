// Handlers: user objects, which graphs keep alive and whose destructors the driver calls.
//
// A destructor runs when the last reference is released: the program's own, those of graphs and
// executable graphs, and those of launches that are pending when an executable graph is destroyed.
// The driver chooses the time and the thread. The destructor is code of the program and must not
// call CUDA. Under preload, all launches of destroyed executable graphs are complete for the host
// when a destructor begins; under CUPTI, when the executable graph is destroyed. User objects hold
// no CUDA memory and, like streams and graphs, are not reported as leaks.
#pragma once

#include <cuda.h>

#include "hooks/cuda/call/call.h"
#include "tracker/model/event_record.h"

namespace gpusan::cuda {

struct DestructorClosure;

// --- functions of user_objects.cc

// Records that the references of an executable graph are released or replaced; `last`: the end of
// its last launch.
void LetGoOfUserObjects(CuCall& call, const EventRecord& last);
// Before the real call: replaces the destructor with gpusan's. Returns nullptr if the program's
// destructor stays.
DestructorClosure* ReplaceDestructor(CuCall& call, CUhostFn* destroy, void** object);
void DropDestructor(DestructorClosure* closure);

// --- handlers

template <typename P>
struct UserObjectCreate {
  DestructorClosure* closure = nullptr;
  void Before(CuCall& call, P& p) {
    CUhostFn destroy = p.destroy;
    void* object = p.ptr;
    closure = ReplaceDestructor(call, &destroy, &object);
    if (closure != nullptr) p.destroy = destroy, p.ptr = object;
  }
  void After(CuCall&, CUresult code, P&) {
    if (code != CUDA_SUCCESS && closure != nullptr) DropDestructor(closure);
  }
};

}  // namespace gpusan::cuda
