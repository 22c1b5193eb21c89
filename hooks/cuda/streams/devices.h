// Handlers: contexts that are created, destroyed, attached and detached; primary contexts.
#pragma once

#include "hooks/cuda/streams/contexts.h"
#include "hooks/cuda/streams/peers.h"

namespace gpusan::cuda {

// --- functions of devices.cc
void Attached(CuCall& call, uintptr_t handle);
void Detach(CuCall& call, CUcontext context);
void RetainedPrimary(CuCall& call, CUcontext context, CUdevice device);
// Records one release of the device's primary context, which ends with its last user.
void ReleasedPrimary(CuCall& call, CUdevice device);
void ResetPrimary(CuCall& call, CUdevice device);

// Adds a finding if the driver rejected the context and gpusan saw it destroyed.
void RefusedContext(CuCall& call, CUcontext context);

// --- handlers

// A handler for calls of which only a failure is reported (CuCall::Done).
template <typename P>
struct FailureOnly {
  void After(CuCall&, CUresult, P&) {}
};

template <typename P>
struct MakeCurrent {
  static constexpr bool kLeavesDeferred = true;
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_ERROR_INVALID_CONTEXT || code == CUDA_ERROR_CONTEXT_IS_DESTROYED)
      RefusedContext(call, p.ctx);
  }
};

template <typename P>
struct CtxCreate {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) NoteDevice(NewContext(call, HandleOf(*p.pctx), false), p.dev);
  }
};

template <typename P>
struct CtxDestroy {
  void Before(CuCall& call, P& p) { DestroyContext(call, HandleOf(p.ctx)); }
};

template <typename P>
struct CtxAttach {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) Attached(call, HandleOf(*p.pctx));
  }
};

template <typename P>
struct CtxDetach {
  void Before(CuCall& call, P& p) { Detach(call, p.ctx); }
};

template <typename P>
struct PrimaryRetain {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) RetainedPrimary(call, *p.pctx, p.dev);
  }
};

template <typename P>
struct PrimaryRelease {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) ReleasedPrimary(call, p.dev);
  }
};

template <typename P>
struct PrimaryReset {
  void Before(CuCall& call, P& p) { ResetPrimary(call, p.dev); }
};

}  // namespace gpusan::cuda
