// The core of every wrapper, and the tables of entry points; for generated code.
//
// A handler is a class template over the params struct of its entry point (CUPTI's struct, or an
// empty one for a function without arguments). Each call creates one:
//
//   template <typename P> struct MemAlloc {
//     void Before(CuCall& call, P& params);  // checks the arguments, takes the place in the order
//     void After(CuCall& call, P& params, CUresult code);  // applies what succeeded
//   };
//
// Members carry what After needs. deferral_queue.h lists the optional members. Under preload,
// Before may replace arguments.
#pragma once

#include <cuda.h>
#include <cupti.h>  // the argument structs

#include <atomic>
#include <new>

#include "hooks/common/guard.h"
#include "hooks/common/self_time.h"
#include "hooks/cuda/call/call.h"
#include "hooks/cuda/deferral/deferral_queue.h"
#include "hooks/cuda/dispatch/interposition.h"
#include "tracker/base/call_counter.h"

namespace gpusan::cuda {

// Resolves the real function of an exported wrapper at its first call. Returns false if there is
// none.
bool FindReal(Slot slot, const void* return_address);
// The tracker by attach path; nullptr before the first call of the path, and again in a forked
// child.
extern std::atomic<Tracker*> g_trackers[kAttachPathCount];
extern CallCounter g_calls[kAttachPathCount];
Tracker* OpenTracker(AttachPath path);
// Returns the tracker for a call of the program and counts the call; nullptr: the call is passed
// on.
inline Tracker* Admit(AttachPath path) {
  Tracker* tracker = g_trackers[static_cast<int>(path)].load(std::memory_order_acquire);
  if (tracker == nullptr) [[unlikely]] {
    tracker = OpenTracker(path);
    if (tracker == nullptr) return nullptr;
  }
  g_calls[static_cast<int>(path)].Count();
  return tracker;
}

// The slow path: the handler runs before and after the real call.
template <typename Row, typename Operation>
[[gnu::always_inline]] inline CUresult WatchWholly(typename Row::Params& params,
                                                   const LightCall& light, SelfTime& time) {
  CuCall call(light);
  if constexpr (!LeavesDeferred<Operation>) JudgeDeferred();
  Operation operation;
  operation.Before(call, params);
  call.BeforeReal();
  if (time.on()) [[unlikely]]
    time.RealBegins();
  const CUresult code = Row::Real(params);
  if (time.on()) [[unlikely]]
    time.RealEnds();
  // The real call may have reused memory or handles that a command queued in the meantime releases.
  if constexpr (!LeavesDeferred<Operation>) JudgeDeferred();
  operation.After(call, params, code);
  return call.Done(code);
}
template <typename Row, typename Operation>
[[gnu::noinline]] CUresult WatchSlowly(typename Row::Params& params, const LightCall& light,
                                       SelfTime& time) {
  return WatchWholly<Row, Operation>(params, light, time);
}

template <typename Row, typename Operation>
inline CUresult Watch(typename Row::Params& params, const void* return_address,
                      const void* frame_address) {
  if (RealFunction(Row::kInfo.slot) == nullptr && !FindReal(Row::kInfo.slot, return_address))
      [[unlikely]]
    return CUDA_ERROR_NOT_FOUND;
  if (ReentryGuard::Active()) return Row::Real(params);
  // A call that is passed on runs without the guard, so that CUPTI can still intercept it.
  Tracker* tracker = Admit(AttachPath::kPreload);
  if (tracker == nullptr) [[unlikely]]
    return Row::Real(params);
  ReentryGuard guard;
  SelfTime time;
  LightCall light(*tracker, Row::kInfo, return_address, frame_address, AttachPath::kPreload);
  if constexpr (Quick<Operation, typename Row::Params>) {
    const uint64_t ticket = Operation::BeginQuickly(light, params);
    if (ticket == 0) [[unlikely]]
      return WatchSlowly<Row, Operation>(params, light, time);
    if (time.on()) [[unlikely]]
      time.RealBegins();
    const CUresult code = Row::Real(params);
    if (time.on()) [[unlikely]]
      time.RealEnds();
    if (code == CUDA_SUCCESS && Operation::EndQuickly(light, params, ticket)) [[likely]]
      return code;
    CuCall call(light);
    return JudgeNow<Operation>(call, params, ticket, code);
  } else {
    return WatchWholly<Row, Operation>(params, light, time);
  }
}

// An operation for an attach path that cannot change arguments (CUPTI). Ticket 0 means that the
// call was not deferred.
template <typename Operation>
struct WatchedOperation {
  uint64_t ticket = 0;
  Operation operation;
};

// One intercepted entry point, for all attach paths.
struct Entry {
  const CuInfo* info = nullptr;  // nullptr ends a table
  void* wrapper = nullptr;
  // The handler for an attach path that cannot change arguments: `state` has room for state_bytes,
  // aligned for anything.
  size_t state_bytes = 0;
  void (*before)(void* state, CuCall& call, const void* params) = nullptr;
  void (*after)(void* state, CuCall& call, const void* params, CUresult code) = nullptr;
};

template <typename Row, typename Operation>
constexpr Entry MakeEntry() {
  Entry entry;
  entry.info = &Row::kInfo;
  entry.wrapper = reinterpret_cast<void*>(&Row::Enter);
  entry.state_bytes = sizeof(WatchedOperation<Operation>);
  entry.before = [](void* state, CuCall& call, const void* params) {
    using Params = typename Row::Params;
    static Params none{};
    Params& given = params != nullptr ? *static_cast<Params*>(const_cast<void*>(params)) : none;
    auto* watched = new (state) WatchedOperation<Operation>;
    if constexpr (Quick<Operation, Params>) {
      LightCall light = call.light();
      watched->ticket = Operation::BeginQuickly(light, given);
      if (watched->ticket != 0) return;
    }
    if constexpr (!LeavesDeferred<Operation>) JudgeDeferred();
    watched->operation.Before(call, given);
    call.BeforeReal();
  };
  entry.after = [](void* state, CuCall& call, const void* params, CUresult code) {
    using Params = typename Row::Params;
    static Params none{};
    Params& given = params != nullptr ? *static_cast<Params*>(const_cast<void*>(params)) : none;
    auto* watched = static_cast<WatchedOperation<Operation>*>(state);
    const uint64_t ticket = watched->ticket;
    if (ticket == 0) {
      if constexpr (!LeavesDeferred<Operation>) JudgeDeferred();
      watched->operation.After(call, given, code);
      call.Done(code);
    }
    watched->~WatchedOperation();
    if constexpr (Quick<Operation, Params>) {
      if (ticket == 0) return;
      LightCall light = call.light();
      if (code != CUDA_SUCCESS || !Operation::EndQuickly(light, given, ticket))
        JudgeNow<Operation>(call, given, ticket, code);
    }
  };
  return entry;
}

// All generated tables; ends with nullptr.
extern const Entry* const kEntryTables[];
// Returns the entry of a function; nullptr if the function is not intercepted.
const Entry* EntryOf(Slot slot);

}  // namespace gpusan::cuda
