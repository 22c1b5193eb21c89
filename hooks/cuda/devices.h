// Handlers: contexts that are attached and detached, primary contexts.
#pragma once

#include "hooks/cuda/contexts.h"

namespace gpusan::cuda {

// --- not templates (devices.cc)
void Attached(CuCall& call, uintptr_t handle);
void Detach(CuCall& call, CUcontext context);
void RetainedPrimary(CuCall& call, CUcontext context, CUdevice device);
// The primary context of the device is given back once; it ends with its last user.
void ReleasedPrimary(CuCall& call, CUdevice device);
void ResetPrimary(CuCall& call, CUdevice device);

// --- handlers

template <typename P>
struct CtxAttach {
  void Before(CuCall&, P&) {}
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS) Attached(call, HandleOf(*p.pctx));
  }
};

template <typename P>
struct CtxDetach {
  void Before(CuCall& call, P& p) { Detach(call, p.ctx); }
  void After(CuCall&, P&, CUresult) {}
};

template <typename P>
struct PrimaryRetain {
  void Before(CuCall&, P&) {}
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS) RetainedPrimary(call, *p.pctx, p.dev);
  }
};

template <typename P>
struct PrimaryRelease {
  void Before(CuCall&, P&) {}
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS) ReleasedPrimary(call, p.dev);
  }
};

template <typename P>
struct PrimaryReset {
  void Before(CuCall& call, P& p) { ResetPrimary(call, p.dev); }
  void After(CuCall&, P&, CUresult) {}
};

}  // namespace gpusan::cuda
