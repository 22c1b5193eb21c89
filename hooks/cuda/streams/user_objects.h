// Handlers: user objects, which graphs keep alive and whose destructors the driver calls.
//
// A destructor runs when the last reference is released: the program's own, those of graphs and
// executable graphs, and those of launches that are pending when an executable graph is destroyed.
// The driver chooses the time and the thread. The destructor is code of the program and must not
// call CUDA. Under preload, all launches of destroyed executable graphs are complete for the host
// when a destructor begins; under CUPTI, when the executable graph is destroyed.
//
// Object::references counts the references of the program. PlainObject::mark counts those of
// graphs and executable graphs. A reference that pending launches may hold is never known to be
// released, except by the run of the destructor.
#pragma once

#include <cuda.h>

#include <vector>

#include "hooks/cuda/call/call.h"
#include "tracker/model/event_record.h"

namespace gpusan::cuda {

struct DestructorClosure;

// References of a graph or an executable graph to one user object.
struct HeldReferences {
  WeakRef<PlainObject> object;
  uint64_t count = 0;
  bool inner = false;  // held by a child graph
};

// --- functions of user_objects.cc

// Records that the references of an executable graph are released or replaced; `last`: the end of
// its last launch.
void LetGoOfUserObjects(CuCall& call, const EventRecord& last);
// Before the real call: replaces the destructor with gpusan's. Returns nullptr if the program's
// destructor stays.
DestructorClosure* ReplaceDestructor(CuCall& call, CUhostFn* destroy, void** object);
void DropDestructor(DestructorClosure* closure);
void CreatedUserObject(CuCall& call, CUuserObject object, unsigned references,
                       DestructorClosure* closure);

// Returns nullptr when the object is unknown or not usable (then a finding was added).
PlainObject* UseUserObject(CuCall& call, CUuserObject object);
void RetainUserObject(CuCall& call, PlainObject* object, unsigned count);
// Before the real call. Sets `*before` to the number of references that the program had.
PlainObject* ReleaseUserObject(CuCall& call, CUuserObject object, unsigned count, int32_t* before);
void UndoReleaseUserObject(CuCall& call, PlainObject* object, int32_t before);
// Before a call that moves references from the program to a graph.
void CheckMovedReferences(CuCall& call, const PlainObject& object, unsigned count);
void GiveToGraph(CuCall& call, PlainObject* object, CUgraph graph, unsigned count, bool move);
// Before a call that releases references of a graph; then after its success.
void CheckReferencesOfGraph(CuCall& call, const PlainObject& object, CUgraph graph, unsigned count);
void TakeFromGraph(CuCall& call, PlainObject* object, CUgraph graph, unsigned count);

// The holders are graphs and executable graphs, by handle. These functions are cheap without user
// objects.

// Copies the references of one holder to another one. `inner`: a child graph of `to` holds them.
void CopyUserReferences(uintptr_t from, uintptr_t to, bool inner = false);
// Records that others than the known holders may get the references of the holder.
void KeepUserReferences(uintptr_t holder);
// Before a holder is destroyed, or gets other references.
std::vector<HeldReferences> TakeUserReferences(CuCall& call, uintptr_t holder);
// After the destruction has failed.
void PutUserReferences(uintptr_t holder, std::vector<HeldReferences> held);
// After success. `pending`: launches that are pending may hold the references.
void DropUserReferences(CuCall& call, const std::vector<HeldReferences>& held, bool pending);

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
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) {
      CreatedUserObject(call, *p.object_out, p.initialRefcount, closure);
    } else if (closure != nullptr) {
      DropDestructor(closure);
    }
  }
};

template <typename P>
struct UserObjectRetain {
  PlainObject* object = nullptr;
  void Before(CuCall& call, P& p) { object = UseUserObject(call, p.object); }
  void After(CuCall& call, CUresult code, P& p) {
    if (object != nullptr && code == CUDA_SUCCESS) RetainUserObject(call, object, p.count);
  }
};

template <typename P>
struct UserObjectRelease {
  PlainObject* object = nullptr;
  int32_t before = 0;
  void Before(CuCall& call, P& p) { object = ReleaseUserObject(call, p.object, p.count, &before); }
  void After(CuCall& call, CUresult code, P&) {
    if (object != nullptr && code != CUDA_SUCCESS) UndoReleaseUserObject(call, object, before);
  }
};

template <typename P>
struct GraphRetainsUserObject {
  PlainObject* object = nullptr;
  void Before(CuCall& call, P& p) {
    call.tracker().objects().Use(call, HandleOf(p.graph), MaskOf(ObjectKind::kGraph), "graph");
    object = UseUserObject(call, p.object);
    if (object != nullptr && (p.flags & CU_GRAPH_USER_OBJECT_MOVE) != 0)
      CheckMovedReferences(call, *object, p.count);
  }
  void After(CuCall& call, CUresult code, P& p) {
    if (object != nullptr && code == CUDA_SUCCESS)
      GiveToGraph(call, object, p.graph, p.count, (p.flags & CU_GRAPH_USER_OBJECT_MOVE) != 0);
  }
};

template <typename P>
struct GraphReleasesUserObject {
  PlainObject* object = nullptr;
  void Before(CuCall& call, P& p) {
    call.tracker().objects().Use(call, HandleOf(p.graph), MaskOf(ObjectKind::kGraph), "graph");
    object = UseUserObject(call, p.object);
    if (object != nullptr) CheckReferencesOfGraph(call, *object, p.graph, p.count);
  }
  void After(CuCall& call, CUresult code, P& p) {
    if (object != nullptr && code == CUDA_SUCCESS) TakeFromGraph(call, object, p.graph, p.count);
  }
};

}  // namespace gpusan::cuda
