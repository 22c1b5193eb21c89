// Rule event: clEnqueueNativeKernel is told to store the pointer of a memory object at an address
// outside of the arguments of the kernel.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracker/calls/call.h"

namespace gpusan::rules {

struct NativeLocation {
  uint32_t index = 0;      // in args_mem_loc
  uintptr_t location = 0;  // the address
  uintptr_t arguments = 0;
  size_t bytes = 0;  // of the arguments
};

void OnNativeLocation(const NativeLocation& use, Call& call);

}  // namespace gpusan::rules
