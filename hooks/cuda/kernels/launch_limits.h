// Explains which limit a rejected launch exceeded. Calls the driver, so it is used for failed calls
// only.
#pragma once

#include <cuda.h>

#include "hooks/cuda/kernels/launch_arguments.h"

namespace gpusan::cuda {

// Adds the violated limits to the call's failure facts. `stream`: nullptr if unknown.
void ExplainLaunch(CuCall& call, CUfunction function, const LaunchShape& shape,
                   const Stream* stream, bool has_arguments, CUresult code);
// As ExplainLaunch, for a function attribute that could not be set.
void ExplainAttribute(CuCall& call, CUfunction_attribute attribute, int value);

// --- handlers

template <typename P>
struct SetFunctionAttribute {
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_ERROR_INVALID_VALUE) return;
    if constexpr (requires { p.val; }) {
      ExplainAttribute(call, p.attrib, p.val);
    } else {
      ExplainAttribute(call, p.attrib, p.value);
    }
  }
};

}  // namespace gpusan::cuda
