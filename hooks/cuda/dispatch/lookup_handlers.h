// Handlers: look-up of driver functions.
#pragma once

#include "hooks/cuda/call/runtimes.h"
#include "hooks/cuda/dispatch/wrapper.h"

namespace gpusan::cuda {

// Replaces the answer by its wrapper. The driver has chosen the version of the function from its
// arguments; the address identifies it.
template <typename P>
struct GetProcAddress {
  static constexpr bool kLeavesDeferred = true;
  void After(CuCall& call, CUresult code, P& p) {
    // Each runtime begins with an empty name, which is the name of no function.
    if (p.symbol != nullptr && *p.symbol == '\0') [[unlikely]]
      NoteRuntime(call.return_address());
    if (code == CUDA_SUCCESS && p.pfn != nullptr && *p.pfn != nullptr &&
        call.may_change_arguments())
      *p.pfn = WrapperForAddress(*p.pfn);
  }
};

}  // namespace gpusan::cuda
