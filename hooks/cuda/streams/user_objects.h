// Handlers: user objects, which graphs keep alive and whose destructors the driver calls.
//
// A destructor runs once the last reference is gone: the program's own, those of graphs and
// executable graphs, and those of launches that are pending when an executable graph goes. When,
// and on which thread, is the driver's business; what runs is the program's, and may call nothing
// of CUDA. Under preload all launches of executable graphs that were let go are known to
// the host when a destructor begins; else once they are let go. User objects hold no memory of
// CUDA's, and like streams and graphs they are no leaks.
#pragma once

#include <cuda.h>

#include "hooks/cuda/call/call.h"
#include "tracker/model/event_record.h"

namespace gpusan::cuda {

struct DestructorClosure;

// --- not templates (user_objects.cc)

// The references of an executable graph go, or others take their place; `last`: the end of its last
// launch.
void LetGoOfUserObjects(CuCall& call, const EventRecord& last);
// Before the real call, which gets a destructor of gpusan's. nullptr: the program's stays.
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
  void After(CuCall&, P&, CUresult code) {
    if (code != CUDA_SUCCESS && closure != nullptr) DropDestructor(closure);
  }
};

}  // namespace gpusan::cuda
