// Handlers: how functions are looked up, and contexts.
#pragma once

#include "hooks/cuda/streams/contexts.h"
#include "hooks/cuda/streams/peers.h"

namespace gpusan::cuda {

// The answer is replaced by its wrapper. Which version of the function it is was decided by the
// driver, flags and all: its address tells.
template <typename P>
struct GetProcAddress {
  static constexpr bool kLeavesDeferred = true;
  void Before(CuCall&, P&) {}
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS && p.pfn != nullptr && *p.pfn != nullptr &&
        call.may_change_arguments())
      *p.pfn = WrapperForAddress(*p.pfn);
  }
};

template <typename P>
struct CtxCreate {
  void Before(CuCall&, P&) {}
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS) NoteDevice(NewContext(call, HandleOf(*p.pctx), false), p.dev);
  }
};

template <typename P>
struct CtxDestroy {
  void Before(CuCall& call, P& p) { DestroyContext(call, HandleOf(p.ctx)); }
  void After(CuCall&, P&, CUresult) {}
};

}  // namespace gpusan::cuda
