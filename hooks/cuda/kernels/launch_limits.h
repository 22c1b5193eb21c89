// Which limit a launch broke that the driver refused. Asks the driver, so only for calls that
// failed.
#pragma once

#include <cuda.h>

#include "hooks/cuda/kernels/launches.h"

namespace gpusan::cuda {

// Adds what is wrong with the launch to the call's failure facts. `stream`: as far as it is known.
void ExplainLaunch(CuCall& call, CUfunction function, const LaunchShape& shape,
                   const Stream* stream, bool has_arguments, CUresult code);
// The same for an attribute of a function that could not be set.
void ExplainAttribute(CuCall& call, CUfunction_attribute attribute, int value);

// --- handlers

template <typename P>
struct SetFunctionAttribute {
  void Before(CuCall&, P&) {}
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_ERROR_INVALID_VALUE) return;
    if constexpr (requires { p.val; }) {
      ExplainAttribute(call, p.attrib, p.val);
    } else {
      ExplainAttribute(call, p.attrib, p.value);
    }
  }
};

}  // namespace gpusan::cuda
