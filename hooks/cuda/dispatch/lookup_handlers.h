// Handlers: look-up of driver functions.
#pragma once

#include "hooks/cuda/dispatch/wrapper.h"

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

}  // namespace gpusan::cuda
