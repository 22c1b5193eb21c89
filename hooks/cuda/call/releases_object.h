// Handlers that release an object.
#pragma once

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

// Base of a handler whose Before releases an object: the handle may be reused as soon as the driver
// has it. Undoes the release if the real call fails.
struct ReleasesObject {
  Object* released = nullptr;  // nullptr: Before released nothing

  template <typename P>
  void After(CuCall& call, CUresult code, P&) {
    if (released != nullptr && code != CUDA_SUCCESS) call.tracker().objects().UndoRelease(released);
  }
};

}  // namespace gpusan::cuda
