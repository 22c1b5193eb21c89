// The wrapper of an entry point of the CUDA driver, and the tables of entry points; for generated
// code.
//
// A handler (hooks/common/handler.h) is a class template over the params struct of its entry point
// (CUPTI's struct, or an empty one for a function without arguments):
//
//   template <typename P> struct MemAlloc {
//     void Before(CuCall& call, P& params);
//     void After(CuCall& call, CUresult code, P& params);
//   };
//
// deferral_queue.h describes how a handler defers its call. Under preload, Before may replace
// arguments.
#pragma once

#include <cuda.h>
#include <cupti.h>  // the argument structs

#include <atomic>
#include <new>

#include "hooks/common/guard.h"
#include "hooks/common/self_time.h"
#include "hooks/common/wrapper.h"
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
[[gnu::always_inline]] inline Tracker* Admit(AttachPath path) {
  Tracker* tracker = g_trackers[static_cast<int>(path)].load(std::memory_order_acquire);
  if (tracker == nullptr) [[unlikely]] {
    tracker = OpenTracker(path);
    if (tracker == nullptr) return nullptr;
  }
  g_calls[static_cast<int>(path)].Count();
  return tracker;
}

// CUDA for the common wrapper (hooks/common/wrapper.h).
struct CudaApi {
  using FastCall = cuda::FastCall;
  using Call = CuCall;
  static bool Succeeded(CUresult code) { return code == CUDA_SUCCESS; }
  template <typename Handler>
  static void Settle() {
    if constexpr (!LeavesDeferred<Handler>) ProcessDeferred();
  }
  // Before and After run here, after the real call, unless a queued command was already processed.
  template <typename Handler, typename P>
  static void FinishSlow(Handler& handler, FastCall& fast, CUresult& code, P& params) {
    CuCall call(fast);
    if constexpr (HasOnRejected<Handler>) {
      ProcessedCommand processed;
      if (!TakeBackDeferred(call, fast.ticket, &processed)) {
        handler.OnRejected(call, code, params, processed);
        call.Done(code);
        return;
      }
    } else {
      Settle<Handler>();
    }
    if constexpr (HasBefore<Handler, CuCall, P>) handler.Before(call, params);
    if constexpr (HasAfter<Handler, CuCall, CUresult, P>) handler.After(call, code, params);
    call.Done(code);
  }
};

// Whether calls of the handler have a fast path. Checks at compile time that no member of the
// handler is ignored because its parameters do not fit.
template <typename Handler, typename P>
constexpr bool HasFastPath() {
  static_assert(HasBefore<Handler, CuCall, P> || !requires { &Handler::Before; });
  static_assert(HasAfter<Handler, CuCall, CUresult, P> || !requires { &Handler::After; });
  constexpr bool kHas = HasTryFast<Handler, FastCall, P>;
  static_assert(!kHas || HasTryFastAfter<Handler, FastCall, P>);
  return kHas;
}

template <typename Row, typename Handler>
[[gnu::always_inline]] inline CUresult Watch(typename Row::Params& params,
                                             const void* return_address,
                                             const void* frame_address) {
  using Params = typename Row::Params;
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
  FastCall fast(*tracker, Row::kInfo, return_address, frame_address, AttachPath::kPreload);
  const auto real = [](Params& p) { return Row::Real(p); };
  if constexpr (HasFastPath<Handler, Params>()) {
    const auto measured = [&time](Params& p) {
      if (time.on()) [[unlikely]]
        time.RealBegins();
      const CUresult code = Row::Real(p);
      if (time.on()) [[unlikely]]
        time.RealEnds();
      return code;
    };
    CUresult code;
    if (TryFastAround<CudaApi, Handler>(fast, &code, measured, params)) [[likely]]
      return code;
    return RunSlowApart<CudaApi, Handler>(fast, time, real, params);
  } else {
    return RunSlow<CudaApi, Handler>(fast, time, real, params);
  }
}

// The steps of a handler around a call whose arguments and result cannot be changed (CUPTI).
template <typename Handler, typename P>
class CallbackRun {
 public:
  void Before(FastCall& fast, CuCall& call, P& params) {
    if constexpr (HasFastPath<Handler, P>()) {
      on_fast_path_ = run_.handler().TryFast(fast, params);
      if (on_fast_path_) return;
    }
    run_.Before(call, params);
  }
  void After(FastCall& fast, CuCall& call, P& params, CUresult code) {
    if constexpr (HasFastPath<Handler, P>()) {
      if (on_fast_path_) {
        Handler& handler = run_.handler();
        if (!CudaApi::Succeeded(code) || !handler.TryFastAfter(fast, params))
          CudaApi::FinishSlow(handler, fast, code, params);
        return;
      }
    }
    run_.After(call, code, params);
  }

 private:
  HandlerRun<CudaApi, Handler> run_;
  bool on_fast_path_ = false;
};

// The room that each call has for its handler between two callbacks [bytes].
inline constexpr size_t kCallbackBytes = 3072;

// One intercepted entry point, for all attach paths.
struct Entry {
  const CuInfo* info = nullptr;  // nullptr ends a table
  void* wrapper = nullptr;
  // The handler for an attach path that cannot change arguments: `state` has room for
  // kCallbackBytes, aligned for anything. `call` was created from `fast`.
  void (*before)(void* state, FastCall& fast, CuCall& call, const void* params) = nullptr;
  void (*after)(void* state, FastCall& fast, CuCall& call, const void* params,
                CUresult code) = nullptr;
};

// CUPTI's params for a callback; an empty struct for a function without arguments.
template <typename P>
P& CallbackParams(const void* params) {
  static P none{};
  return params != nullptr ? *static_cast<P*>(const_cast<void*>(params)) : none;
}

template <typename Row, typename Handler>
constexpr Entry MakeEntry() {
  using Params = typename Row::Params;
  using Run = CallbackRun<Handler, Params>;
  static_assert(sizeof(Run) <= kCallbackBytes && alignof(Run) <= 16);
  Entry entry;
  entry.info = &Row::kInfo;
  entry.wrapper = reinterpret_cast<void*>(&Row::Enter);
  entry.before = [](void* state, FastCall& fast, CuCall& call, const void* params) {
    (new (state) Run)->Before(fast, call, CallbackParams<Params>(params));
  };
  entry.after = [](void* state, FastCall& fast, CuCall& call, const void* params, CUresult code) {
    auto* run = static_cast<Run*>(state);
    run->After(fast, call, CallbackParams<Params>(params), code);
    run->~Run();
  };
  return entry;
}

// All generated tables; ends with nullptr.
extern const Entry* const kEntryTables[];
// Returns the entry of a function; nullptr if the function is not intercepted.
const Entry* EntryOf(Slot slot);

}  // namespace gpusan::cuda
